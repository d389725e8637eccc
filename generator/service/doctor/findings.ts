import { toPlainLine } from "../../contract/strangers-text.ts";
import { messageOf } from "../../contract/error-message.ts";
import type { Clock } from "../context.ts";

/** ok: works. warning: could work better. problem: must be fixed. */
export type Level = "ok" | "warning" | "problem";

/** What a look at one thing showed. */
export interface Finding {
  level: Level;
  /** In a few words: `state store`. */
  subject: string;
  /** What is there, with measurements. Holds no secret, control character or line break. */
  found: string;
  /** What the operator can do; null: nothing. */
  advice: string | null;
}

export interface Section {
  title: string;
  findings: Finding[];
}

/** Longest foreign text shown. */
const TEXT_MAX = 400;

/** Advice is for what is not ok. */
export function toFinding(level: Level, subject: string, found: string, advice: string | null): Finding {
  return { level, subject: toPrintable(subject), found: toPrintable(found), advice: level === "ok" ? null : advice };
}

export const ok = (subject: string, found: string) => toFinding("ok", subject, found, null);
export const warning = (subject: string, found: string, advice: string) => toFinding("warning", subject, found, advice);
export const problem = (subject: string, found: string, advice: string) => toFinding("problem", subject, found, advice);
export const warnIf = (isFaulty: boolean, subject: string, found: string, advice: string) =>
  toFinding(isFaulty ? "warning" : "ok", subject, found, advice);

/** Foreign text must not steer the terminal. */
function toPrintable(text: string): string {
  const line = toPlainLine(text, TEXT_MAX + 1);
  return Array.from(line).length > TEXT_MAX ? `${toPlainLine(line, TEXT_MAX)}…` : line;
}

interface Guarded {
  clock: Clock;
  subject: string;
  milliseconds: number;
  /** What it waits for, by subject: `state store` → `s3://state: list`. */
  waitingFor?: ReadonlyMap<string, string>;
}

/** The findings of a look. A look that throws or takes too long becomes a finding, so that a diagnosis always ends. */
export async function guard(
  { clock, subject, milliseconds, waitingFor = new Map() }: Guarded,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  const ended = new AbortController();
  const found = `no end after ${Math.round(milliseconds / 1000)} s`;
  const advice = "Check whether its disk or server hangs.";
  const late = () => {
    const waits = [...waitingFor].map(([one, operation]) => problem(one, `${found}: ${operation}`, advice));
    return waits.length > 0 ? waits : [problem(subject, found, advice)];
  };
  try {
    return await Promise.race([look(), clock.sleepUntil(clock.now() + milliseconds, ended.signal).then(late, late)]);
  } catch (error) {
    const repair = "Fix what this names, then run doctor again.";
    return [problem(subject, `could not be examined: ${messageOf(error)}`, repair)];
  } finally {
    ended.abort();
  }
}

/** A time span for people: `3 ms`, `1.4 s`, `12 min`, `5 h`, `61 days`. */
export function toSpan(milliseconds: number): string {
  const span = Math.abs(milliseconds);
  if (span < 1_000) return `${Math.round(span)} ms`;
  if (span < 120_000) return `${(span / 1_000).toFixed(1)} s`;
  if (span < 7_200_000) return `${Math.round(span / 60_000)} min`;
  if (span < 172_800_000) return `${Math.round(span / 3_600_000)} h`;
  return `${Math.round(span / 86_400_000)} days`;
}

/** A count with grouped digits: `312,455,001`. */
export function toGrouped(count: number): string {
  return count.toLocaleString("en-US");
}
