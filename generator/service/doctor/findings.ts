import { messageOf } from "../../contract/error-message.ts";
import { toPlainLine } from "../../contract/strangers-text.ts";
import type { Clock } from "../context.ts";

/** ok: works. warning: could work better. problem: must be fixed. */
export type Level = "ok" | "warning" | "problem";

export interface Finding {
  level: Level;
  /** In a few words: `state store`. */
  subject: string;
  /** What is there. Holds no secret, control character or line break. */
  found: string;
  /** null: there is nothing to do. */
  advice: string | null;
}

/** Foreign text must not steer the terminal. Advice is for what is not ok. */
export function toFinding(level: Level, subject: string, found: string, advice: string | null = null): Finding {
  return { level, subject: toPlainLine(subject), found: toPlainLine(found), advice: level === "ok" ? null : advice };
}

/** Longest look. All run at once, so a diagnosis ends within a minute. */
const LOOK_MILLISECONDS = 50_000;

/** A look that throws or takes too long is a finding itself. */
export async function look(clock: Clock, subject: string, work: () => Promise<Finding[]>): Promise<Finding[]> {
  const ended = new AbortController();
  const late = () => [
    toFinding(
      "problem",
      subject,
      `no end after ${LOOK_MILLISECONDS / 1000} s`,
      "Check whether its disk or server hangs.",
    ),
  ];
  try {
    return await Promise.race([
      work(),
      clock.sleepUntil(clock.now() + LOOK_MILLISECONDS, ended.signal).then(late, late),
    ]);
  } catch (error) {
    const found = `could not be examined: ${messageOf(error)}`;
    return [toFinding("problem", subject, found, "Fix what this names, then run doctor again.")];
  } finally {
    ended.abort();
  }
}

/** `3 ms`, `1.4 s`, `12 min`, `5 h`, `61 days` */
export function toSpan(milliseconds: number): string {
  const span = Math.abs(milliseconds);
  if (span < 1_000) return `${Math.round(span)} ms`;
  if (span < 120_000) return `${(span / 1_000).toFixed(1)} s`;
  if (span < 7_200_000) return `${Math.round(span / 60_000)} min`;
  if (span < 172_800_000) return `${Math.round(span / 3_600_000)} h`;
  return `${Math.round(span / 86_400_000)} days`;
}

/** `312,455,001` */
export function toGrouped(count: number): string {
  return count.toLocaleString("en-US");
}
