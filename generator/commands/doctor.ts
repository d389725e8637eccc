import { styleText } from "node:util";
import { toVisibleJson } from "../contract/strangers-text.ts";
import { doctor as examine, type Diagnosis } from "../service/doctor.ts";
import { toSpan, type Finding, type Level } from "../service/doctor/findings.ts";
import { toCounted } from "../service/report.ts";
import { diagnoseSettings } from "../settings/settings.ts";
import { clock, signal, type Flags } from "./command.ts";

/** Where standard output is no terminal. */
const COLUMNS = 120;

export async function doctor({ network, json }: Flags): Promise<void> {
  const nodeVersion = process.versions.node;
  const diagnosis = await examine({ examined: diagnoseSettings(), clock, network, nodeVersion, signal });
  const columns = process.stdout.columns || COLUMNS;
  const text = json ? toVisibleJson(JSON.stringify(diagnosis)) : toText(diagnosis, { paint, columns });
  // A hanging disk or server would keep the process alive.
  process.stdout.write(`${text}\n`, () => process.exit(diagnosis.healthy ? 0 : 1));
}

function paint(style: Style, text: string): string {
  const format = { ok: "green", warning: "yellow", problem: "red", title: "bold", advice: "dim" } as const;
  return styleText(format[style], text, { stream: process.stdout });
}

export type Style = Level | "title" | "advice";

export interface TextOptions {
  paint: (style: Style, text: string) => string;
  columns: number;
}

const LEVEL_WIDTH = "warning".length;
const MARGIN = "  ";
const INDENT = MARGIN.length + LEVEL_WIDTH + MARGIN.length;
/** After a longer subject the finding begins on the next line. */
const SUBJECT_WIDTH_MAX = 24;
/** The terminal breaks narrower lines. */
const TEXT_WIDTH_MIN = 40;

export function toText(diagnosis: Diagnosis, options: TextOptions): string {
  const sections = diagnosis.sections.map(({ title, findings }) => {
    const widths = findings.map(({ subject }) => subject.length).filter((width) => width <= SUBJECT_WIDTH_MAX);
    const lines = findings.flatMap((finding) => toLines(finding, Math.max(...widths, 0), options));
    return [options.paint("title", title), ...lines].join("\n");
  });
  return [...sections, toSummary(diagnosis, options)].join("\n\n");
}

function toLines({ level, subject, found, advice }: Finding, width: number, { paint, columns }: TextOptions): string[] {
  const head = `${MARGIN}${paint(level, level.padEnd(LEVEL_WIDTH))}${MARGIN}${subject.padEnd(width)}`;
  const isLong = subject.length > width;
  const indent = isLong ? INDENT : INDENT + width + MARGIN.length;
  const [first = "", ...more] = wrap(found, columns - indent);
  const foundLines = isLong ? [head, " ".repeat(indent) + first] : [`${head}${MARGIN}${first}`];
  const adviceLines = advice === null ? [] : wrap(advice, columns - INDENT - MARGIN.length);
  return [
    ...foundLines,
    ...more.map((line) => " ".repeat(indent) + line),
    ...adviceLines.map((line, index) => " ".repeat(INDENT) + paint("advice", `${index === 0 ? "→" : " "} ${line}`)),
  ];
}

/** Longer words stay whole to be copied. */
function wrap(text: string, columns: number): string[] {
  const width = Math.max(columns, TEXT_WIDTH_MIN);
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

function toSummary({ healthy, counts, durationMs }: Diagnosis, { paint }: TextOptions): string {
  const figures = `${toCounted(counts.problem, "problem")}, ${toCounted(counts.warning, "warning")}, ${counts.ok} ok`;
  const verdict = healthy ? "Everything needed works." : "Fix what the lines beginning with problem name.";
  return `${paint(healthy ? "ok" : "problem", verdict)} ${figures}, in ${toSpan(durationMs)}.`;
}
