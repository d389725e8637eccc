import type { Dispatcher } from "undici";
import { messageOf } from "../../contract/error-message.ts";
import type { Network } from "../../contract/networks.ts";
import { toPlainLine } from "../../contract/strangers-text.ts";
import type { Settings } from "../../settings/settings.ts";
import { PROBE_MILLISECONDS } from "../../rpc/ranking.ts";
import { findStoreAdvice } from "../../store/advice.ts";
import type { ObjectStore } from "../../store/store.ts";
import type { Clock } from "../context.ts";

/** ok: works. warning: could work better. problem: must be fixed. */
export type Level = "ok" | "warning" | "problem";

/** One line of a diagnosis. */
export interface Finding {
  level: Level;
  /** In a few words: `state store`. */
  subject: string;
  /** It contains no secret, control character or line break. */
  found: string;
  /** null: there is nothing to do. */
  advice: string | null;
}

/** What a check may look at. */
export interface CheckContext {
  settings: Settings;
  networks: readonly Network[];
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  clock: Clock;
  dispatcher: Dispatcher;
  signal: AbortSignal;
  limits: typeof LIMITS;
}

/** Longest waits, for one answer of a server or disk and for a whole check. */
export const LIMITS = { answerMilliseconds: PROBE_MILLISECONDS, checkMilliseconds: 20_000 };

/** A finding that is safe for a terminal. Only findings that are not ok have advice. */
export function toFinding(
  level: Level,
  subject: string,
  found: string,
  advice: string | null = null,
): Finding {
  return {
    level,
    subject: toPlainLine(subject),
    found: toPlainLine(found),
    advice: level === "ok" ? null : advice,
  };
}

/** A check that throws or takes too long is a finding itself. */
export async function runCheck(
  subject: string,
  check: (context: CheckContext) => Promise<Finding[]>,
  context: CheckContext,
): Promise<Finding[]> {
  try {
    return await within(context.limits.checkMilliseconds, context.clock, () => check(context));
  } catch (error) {
    const advice = findStoreAdvice(error) ?? "Fix what this names, then run doctor again.";
    return [toFinding("problem", subject, `could not be examined: ${messageOf(error)}`, advice)];
  }
}

/** @throws {Error} with the code `TimeoutError` when `work` takes longer */
export async function within<T>(
  milliseconds: number,
  clock: Clock,
  work: () => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const fail = () => {
    throw Object.assign(new Error(`no end after ${milliseconds / 1000} s`), {
      code: "TimeoutError",
    });
  };
  try {
    return await Promise.race([
      work(),
      clock.sleepUntil(clock.now() + milliseconds, ended.signal).then(fail),
    ]);
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
