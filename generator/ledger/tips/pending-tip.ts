import type { AgreedTip } from "../../agree/tips.ts";
import { hasStood, OUTDATED_MILLISECONDS, REPEAT_MILLISECONDS } from "../belief.ts";
import type { Moment, PendingTip } from "../records.ts";

/**
 * The pending tip after an observation. Another answer, or a dispute that begins or ends,
 * restarts its count and time.
 */
export function nextPendingTip(
  pending: PendingTip | undefined,
  { answers, value }: AgreedTip,
  moment: Moment,
): PendingTip {
  const isDisputed = value === null;
  const to = value ?? pending?.to ?? answers[0]?.state ?? "absent";
  const before = pending?.to === to && pending.isDisputed === isDisputed ? pending : null;
  return {
    to,
    first: before?.first ?? moment,
    count: (before?.count ?? 0) + 1,
    answers,
    isDisputed,
  };
}

/**
 * Whether a pending tip has lasted for long enough to be accepted (belief.ts). A disputed one
 * never has.
 * @param now ISO 8601 in UTC
 */
export function isTipBelieved(
  { to, first, isDisputed }: PendingTip,
  { now, panelSize, isChange }: { now: string; panelSize: number; isChange: boolean },
): boolean {
  const ofWitness = panelSize === 1 && isChange ? REPEAT_MILLISECONDS : 0;
  const ofAbsence = to === "absent" ? OUTDATED_MILLISECONDS : 0;
  return !isDisputed && hasStood(first.time, now, Math.max(ofWitness, ofAbsence));
}
