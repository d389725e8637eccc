import { toPlainLine } from "../../contract/strangers-text.ts";

/** An unusable object. */
export interface Quarantined {
  /** Its key, or the name of an entry. */
  object: string;
  reason: string;
}

/** A day of lost objects must not fill a document. */
const NAMED_MAX = 100;

/** Sorted, each object once. Plain lines: a reason may quote foreign text. */
export function toQuarantined(
  reasons: Iterable<readonly [object: string, reason: string]>,
): Quarantined[] {
  const byObject = [...new Map(reasons)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byObject.map(([object, reason]) => ({ object, reason: toPlainLine(reason) }));
}

/** At most a hundred, the last ones, after a line that counts the rest. */
export function boundQuarantined(all: readonly Quarantined[]): Quarantined[] {
  if (all.length <= NAMED_MAX) return [...all];
  const more = {
    object: `${all.length - NAMED_MAX} more`,
    reason: "rebuild --verify names them all",
  };
  return [more, ...all.slice(-NAMED_MAX)];
}
