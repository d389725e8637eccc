import { readFile } from "node:fs/promises";
import { z } from "zod";

// node infra/github/summary.ts FILE COMMAND OUTCOME. FILE has the step's
// standard output, also if it failed, was cancelled or never began.

const count = z.number().int().nonnegative();

/** The last line of `generate COMMAND --json`, as far as shown. */
const reportSchema = z.object({
  command: z.string(),
  network: z.string(),
  accepted: z.boolean().nullable(),
  rejected: z.array(z.object({ reason: z.string() })),
  quarantined: z.array(z.object({ object: z.string(), reason: z.string() })),
  skipped: z.string().nullable(),
  failure: z.string().optional(),
  observations: count,
  stored: count,
  published: count,
  snapshotAt: z.string().nullable(),
  pending: count,
  pendingSince: z.string().nullable(),
  events: count,
  documents: z.object({ rendered: count, written: count }),
  puts: count,
  lists: count,
  bytes: count,
  warnings: z.array(z.string()).default([]),
  upkeep: z.array(z.string()),
  durationMs: z.number().nonnegative(),
  differences: count.optional(),
});

const diagnosisSchema = z.object({
  command: z.literal("doctor"),
  network: z.string(),
  sections: z.array(
    z.object({
      title: z.string(),
      findings: z.array(
        z.object({
          level: z.string(),
          subject: z.string(),
          found: z.string(),
          advice: z.string().nullable(),
        }),
      ),
    }),
  ),
});

type Report = z.infer<typeof reportSchema>;
type Diagnosis = z.infer<typeof diagnosisSchema>;

interface Ran {
  /** As given: `run --for 50m`. */
  command: string;
  /** `steps.ID.outcome`; empty when the job never reached it. */
  outcome: string;
  /** Only the last line counts. */
  output: string;
}

const TEXT_LENGTH_MAX = 400;

const COUNT = new Intl.NumberFormat("en");
const REASONS_MAX = 20;

/** Text from strangers stays plain text. */
export function toSummary({ command, outcome, output }: Ran): string {
  const title = `## generate ${toText(command)}: ${toText(outcome === "" ? "not reached" : outcome)}`;
  return `${[title, ...toSections(parseOutput(output))].join("\n\n")}\n`;
}

function parseOutput(output: string): Report | Diagnosis | null {
  const last = output.trimEnd().split("\n").at(-1) ?? "";
  try {
    return z.union([diagnosisSchema, reportSchema]).safeParse(JSON.parse(last)).data ?? null;
  } catch {
    // Half a line of a killed process.
    return null;
  }
}

function toSections(output: Report | Diagnosis | null): string[] {
  if (output === null) return ["The step ended without a report. Read the end of its log."];
  if ("sections" in output) return [toFindings(output)];
  return [
    toFigures(output),
    ...toReasons(
      "Refused observations",
      output.rejected.map(({ reason }) => reason),
    ),
    ...toReasons(
      "Unusable objects",
      output.quarantined.map(({ object, reason }) => `${object}: ${reason}`),
    ),
    ...toReasons("Warnings", output.warnings),
    ...toReasons("Upkeep", output.upkeep),
  ];
}

function toFigures(report: Report): string {
  const { documents, differences, skipped, failure } = report;
  return toTable([
    ["network", report.network],
    ...(failure === undefined ? [] : [["failed", failure]]),
    ["entries folded", toCount(report.observations)],
    ["entries stored", toCount(report.stored)],
    ["newest snapshot published", report.snapshotAt ?? "none"],
    ["observations accepted", toAccepted(report)],
    ["observations refused", toCount(report.rejected.length)],
    ["changes pending", toPending(report)],
    ["events recorded", toCount(report.events)],
    [
      "documents written",
      `${toCount(documents.written)} of ${toCount(documents.rendered)} rendered`,
    ],
    ["puts", `${toCount(report.puts)}, ${toBytes(report.bytes)}`],
    ["listings", toCount(report.lists)],
    ...(differences === undefined
      ? []
      : [["differences from the published documents", toCount(differences)]]),
    ["duration", toDuration(report.durationMs)],
    ...(skipped === null ? [] : [["not published", skipped]]),
  ]);
}

function toAccepted({ accepted }: Report): string {
  if (accepted === null) return "none made";
  return accepted ? "all" : "some refused";
}

function toPending({ pending, pendingSince }: Report): string {
  return pendingSince === null
    ? toCount(pending)
    : `${toCount(pending)}, the oldest since ${pendingSince}`;
}

function toReasons(title: string, reasons: readonly string[]): string[] {
  if (reasons.length === 0) return [];
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, { length }]) => ({
    reason,
    length,
  }));
  const sorted = counted.toSorted((one, other) => other.length - one.length);
  const rows = sorted.slice(0, REASONS_MAX).map(({ reason, length }) => [toCount(length), reason]);
  const left = sorted.length - rows.length;
  return [
    `### ${title}`,
    toTable([["count", "reason"], ...rows]),
    ...(left === 0 ? [] : [`and ${toCount(left)} more`]),
  ];
}

function toFindings({ sections }: Diagnosis): string {
  const rows = sections.flatMap(({ title, findings }) =>
    findings.map(({ level, subject, found, advice }) => [
      level,
      `${title}: ${subject}`,
      found,
      advice ?? "",
    ]),
  );
  return toTable([["", "subject", "found", "to do"], ...rows]);
}

function toBytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function toDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function toTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.map(toText).join(" | ")} |`;
  return [toLine(head), `|${" --- |".repeat(head.length)}`, ...rows.map(toLine)].join("\n");
}

/** An entity never forms Markdown (CommonMark §2.5). */
function toText(text: string): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
  const short =
    line.length > TEXT_LENGTH_MAX
      ? `${line.slice(0, TEXT_LENGTH_MAX).replace(/\p{Cs}$/u, "")}…`
      : line;
  return short.replaceAll(/[^\p{L}\p{N} ]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
}

function toCount(count: number): string {
  return COUNT.format(count);
}

async function readIfThere(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    // An earlier step failed.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

if (import.meta.main) {
  const [file = "", command = "", outcome = ""] = process.argv.slice(2);
  process.stdout.write(toSummary({ command, outcome, output: await readIfThere(file) }));
}
