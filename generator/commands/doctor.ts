import { styleText } from "node:util";
import { toVisibleJson } from "../contract/strangers-text.ts";
import { doctor, type Diagnosis } from "../service/doctor.ts";
import { toSpan, type Finding } from "../service/doctor/check.ts";
import { toCounted } from "../service/report.ts";
import { diagnoseSettings } from "../settings/settings.ts";
import { clock, signal, type Flags } from "./command.ts";

/** `generate doctor`: prints the diagnosis and exits with 0 if healthy, else with 1. */
export async function doctorCommand({ network, json }: Flags): Promise<void> {
  const diagnosis = await doctor({ examined: diagnoseSettings(), clock, network, signal });
  const text = json
    ? toVisibleJson(JSON.stringify(diagnosis))
    : describeDiagnosis(diagnosis, paint);
  // Exit now: a hanging disk or server would keep the process alive.
  process.stdout.write(`${text}\n`, () => process.exit(diagnosis.healthy ? 0 : 1));
}

const FORMATS = {
  ok: "green",
  warning: "yellow",
  problem: "red",
  title: "bold",
  advice: "dim",
} as const;
type Paint = (style: keyof typeof FORMATS, text: string) => string;

/** Colors if the terminal shows them. */
const paint: Paint = (style, text) => styleText(FORMATS[style], text, { stream: process.stdout });

/** The diagnosis as text: findings with advice, then a summary. */
export function describeDiagnosis(
  { sections, healthy, counts, durationMs }: Diagnosis,
  paintText: Paint,
): string {
  const parts = sections.map(({ title, findings }) =>
    [paintText("title", title), ...findings.flatMap((finding) => toLines(finding, paintText))].join(
      "\n",
    ),
  );
  const figures = `${toCounted(counts.problem, "problem")}, ${toCounted(counts.warning, "warning")}, ${counts.ok} ok`;
  const verdict = healthy
    ? "Everything needed works."
    : "Fix what the lines beginning with problem name.";
  const summary = `${paintText(healthy ? "ok" : "problem", verdict)} ${figures}, in ${toSpan(durationMs)}.`;
  return [...parts, summary].join("\n\n");
}

function toLines({ level, subject, found, advice }: Finding, paintText: Paint): string[] {
  const line = `  ${paintText(level, level.padEnd("warning".length))}  ${subject}: ${found}`;
  return advice === null ? [line] : [line, paintText("advice", `           → ${advice}`)];
}
