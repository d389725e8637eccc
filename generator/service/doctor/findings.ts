import { toPlainLine } from "../../contract/strangers-text.ts";
import type { Clock } from "../clock.ts";

/** ok: works. warning: works less well than it could. problem: must be mended. */
export type Level = "ok" | "warning" | "problem";

/** What one look at one thing showed. */
export interface Finding {
  level: Level;
  /** The thing, in a few words: `state store`. */
  subject: string;
  /** What is there, with what was measured. Never holds a secret, a control character or a line break. */
  found: string;
  /** What the operator can do; null: nothing. */
  advice: string | null;
}

/** Findings that belong together. */
export interface Section {
  title: string;
  findings: Finding[];
}

export function ok(subject: string, found: string): Finding {
  return { level: "ok", subject: toPrintable(subject), found: toPrintable(found), advice: null };
}

export function warning(subject: string, found: string, advice: string): Finding {
  return { level: "warning", subject: toPrintable(subject), found: toPrintable(found), advice };
}

export function problem(subject: string, found: string, advice: string): Finding {
  return { level: "problem", subject: toPrintable(subject), found: toPrintable(found), advice };
}

/** Longest text of a stranger that is shown. */
const TEXT_MAX = 400;

/** Findings quote what servers and files said: nothing of it may steer the terminal that shows it. */
function toPrintable(text: string): string {
  const line = toPlainLine(text, TEXT_MAX + 1);
  return Array.from(line).length > TEXT_MAX ? `${toPlainLine(line, TEXT_MAX)}…` : line;
}

export interface Guard {
  clock: Clock;
  /** What is looked at, as a finding about a failed look names it. */
  subject: string;
  /** Longest time the look may take. */
  milliseconds: number;
}

/** The findings of a look. One that throws, or does not end in time, is a finding itself: a diagnosis always ends. */
export async function guard(
  { clock, subject, milliseconds }: Guard,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const ended = new AbortController();
  const late = [
    problem(subject, `no end after ${Math.round(milliseconds / 1000)} s`, "See whether its disk or server hangs."),
  ];
  const alarm = clock.sleepUntil(clock.now() + milliseconds, ended.signal).then(
    () => late,
    () => late,
  );
  try {
    return await Promise.race([look(), alarm]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [problem(subject, `could not be looked at: ${reason}`, "Mend what this names, and run doctor again.")];
  } finally {
    ended.abort();
  }
}
