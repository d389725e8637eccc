import { toPlainLine } from "../contract/strangers-text.ts";
import { toCounted, type Report } from "../service/report.ts";

const NAMED_MAX = 3;

/** A report as one line, safe for a terminal. */
export function toLine(report: Report): string {
  const { rejected, quarantined, skipped, documents } = report;
  const parts = [
    `${report.command} ${report.network}`,
    ...rejected.slice(0, NAMED_MAX).map(({ reason }) => `refused: ${reason}`),
    ...(rejected.length > NAMED_MAX ? [`and ${rejected.length - NAMED_MAX} more refused`] : []),
    ...quarantined
      .slice(0, NAMED_MAX)
      .map(({ object, reason }) => `set aside: ${object}: ${reason}`),
    ...(quarantined.length > NAMED_MAX
      ? [`and ${quarantined.length - NAMED_MAX} more set aside`]
      : []),
    ...(skipped === null ? [] : [`not published: ${skipped}`]),
    ...report.warnings,
    toCounted(report.events, "event"),
    `${report.pending} pending`,
    `${documents.written} of ${toCounted(documents.rendered, "document")} written`,
    toCounted(report.puts, "put"),
    ...report.upkeep,
    `${(report.durationMs / 1000).toFixed(2)} s`,
  ];
  return parts.map((part) => toPlainLine(part)).join(" · ");
}
