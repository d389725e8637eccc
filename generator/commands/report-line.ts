import { toPlainLine } from "../contract/strangers-text.ts";
import { toCounted, type Report } from "../service/report.ts";

/** Most objects set aside that a line names. */
const NAMED_MAX = 3;

/** A report for a person, in a line; of what a stranger said, each by itself. */
export function toLine(report: Report): string {
  const { rejected, quarantined, skipped, documents } = report;
  const parts = [
    `${report.command} ${report.network}`,
    ...rejected.map(({ reason }) => `refused: ${reason}`),
    ...quarantined.slice(0, NAMED_MAX).map(({ object, reason }) => `set aside: ${object}: ${reason}`),
    ...(quarantined.length > NAMED_MAX ? [`and ${quarantined.length - NAMED_MAX} more set aside`] : []),
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
