import { styleText } from "node:util";
import { toVisibleJson } from "../contract/strangers-text.ts";
import { doctor as examine, type Diagnosis } from "../service/doctor.ts";
import { toSpan, type Finding, type Level } from "../service/doctor/findings.ts";
import { toCounted } from "../service/report.ts";
import { diagnoseSettings } from "../settings/settings.ts";
import { clock, signal, type Flags } from "./command.ts";

/** Of a line, where standard output is no terminal. */
const COLUMNS = 120;

export async function doctor({ network, json }: Flags): Promise<void> {
  const nodeVersion = process.versions.node;
  const diagnosis = await examine({ examined: diagnoseSettings(), clock, network, nodeVersion, signal });
  const columns = process.stdout.columns || COLUMNS;
  const text = json ? toVisibleJson(JSON.stringify(diagnosis)) : toText(diagnosis, { paint, columns });
  // Not left to end by itself: a disk or server that hangs would hold the process for as long as it does.
  process.stdout.write(`${text}\n`, () => process.exit(diagnosis.healthy ? 0 : 1));
}

/** Colours where the terminal shows them, by `styleText`'s own judgement of it. */
function paint(style: Style, text: string): string {
  const format = { ok: "green", warning: "yellow", problem: "red", title: "bold", advice: "dim" } as const;
  return styleText(format[style], text, { stream: process.stdout });
}

/** What a piece of text is, for whoever colours it. */
export type Style = Level | "title" | "advice";

export interface TextOptions {
  /** Colours a piece of text, or leaves it as it is. */
  paint: (style: Style, text: string) => string;
  /** Characters of a line of the terminal. */
  columns: number;
}

const LEVEL_WIDTH = "warning".length;
const MARGIN = "  ";
/** Where a subject begins, and every line that goes on below one. */
const INDENT = MARGIN.length + LEVEL_WIDTH + MARGIN.length;
/** Of longer subjects, such as endpoints, what was found begins on the next line. */
const SUBJECT_WIDTH_MAX = 24;
/** Narrower than this nothing can be read: better a line that the terminal breaks. */
const TEXT_WIDTH_MIN = 40;

/** A diagnosis for people: what was found of each thing, below it what to do, and at the end what it comes to. */
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

/** Breaks a text between words; a longer word stays whole, so that it can be copied. */
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
