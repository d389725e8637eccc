import { toCount, toTable, toText } from "./markdown.ts";
import type { Diagnosis, Report } from "./output.ts";

/** What came of the step that ran a command of the generator. */
export interface Ran {
  /** As it was given: `run --for 25m`. */
  command: string;
  /** `steps.ID.outcome`: success, failure, cancelled or skipped; empty where the job never came to it. */
  outcome: string;
  /** What it wrote; null: nothing that could be read. */
  output: Report | Diagnosis | null;
}

/** Lines of a table of reasons. */
const REASONS_MAX = 20;

/** What a run did, as Markdown for the page of its job. Text that others chose is shown as it is, and forms nothing. */
export function toSummary({ command, outcome, output }: Ran): string {
  const title = `## generate ${toText(command)}: ${toText(outcome === "" ? "not reached" : outcome)}`;
  return `${[title, ...toSections(output)].join("\n\n")}\n`;
}

function toSections(output: Ran["output"]): string[] {
  if (output === null) return ["It ended without a report: the log of its step has what was said last."];
  if ("sections" in output) return [toFindings(output)];
  return [
    toFigures(output),
    ...toReasons("Refused", toRefusals(output)),
    ...toReasons("Set aside", toQuarantined(output)),
    ...toReasons("Upkeep", output.upkeep),
  ];
}

function toFigures(report: Report): string {
  const { documents, differences, skipped } = report;
  return toTable([
    ["network", report.network],
    ["entries folded", toCount(report.observations)],
    ["observations accepted", toAccepted(report)],
    ["refused", toCount(report.rejected.length)],
    ["changes pending", toCount(report.pending)],
    ["events recorded", toCount(report.events)],
    ["documents written", `${toCount(documents.written)} of ${toCount(documents.rendered)} rendered`],
    ["puts", `${toCount(report.puts)}, ${toBytes(report.bytes)}`],
    ["listings", toCount(report.lists)],
    ...(differences === undefined ? [] : [["differences with what is published", toCount(differences)]]),
    ["duration", toDuration(report.durationMs)],
    ...(skipped === null ? [] : [["not published", skipped]]),
  ]);
}

function toRefusals({ rejected }: Report): string[] {
  return rejected.map(({ reason }) => reason);
}

function toQuarantined({ quarantined }: Report): string[] {
  return quarantined.map(({ object, reason }) => `${object}: ${reason}`);
}

function toAccepted({ accepted }: Report): string {
  if (accepted === null) return "none was made";
  return accepted ? "all" : "not all";
}

/** Equal reasons are counted, the most frequent first. */
function toReasons(title: string, reasons: readonly string[]): string[] {
  if (reasons.length === 0) return [];
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => ({ reason, length }));
  const sorted = counted.toSorted((one, other) => other.length - one.length);
  const rows = sorted.slice(0, REASONS_MAX).map(({ reason, length }) => [toCount(length), reason]);
  const left = sorted.length - rows.length;
  return [`### ${title}`, toTable([["times", "what"], ...rows]), ...(left === 0 ? [] : [`and ${toCount(left)} more`])];
}

function toFindings({ sections }: Diagnosis): string {
  const rows = sections.flatMap(({ title, findings }) =>
    findings.map(({ level, subject, found, advice }) => [level, `${title}: ${subject}`, found, advice ?? ""]),
  );
  return toTable([["", "what", "found", "to do"], ...rows]);
}

function toBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function toDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
