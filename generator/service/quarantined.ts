import { toPlainLine } from "../contract/strangers-text.ts";

/** An object that was set aside, neither used nor deleted, and why. */
export interface Quarantined {
  /** Its key, or the name of an entry. */
  object: string;
  reason: string;
}

/** Most named in one place: a lost day must not fill a document. */
const NAMED_MAX = 100;

/** By name, each once, as plain lines: a reason may quote foreign text. */
export function toQuarantined(reasons: Iterable<readonly [object: string, reason: string]>): Quarantined[] {
  const byObject = [...new Map(reasons)].sort(([one], [other]) => (one < other ? -1 : 1));
  return byObject.map(([object, reason]) => ({ object, reason: toPlainLine(reason) }));
}

/** Stands for those not named. */
const MORE = "rebuild --verify names them all";

/** The newest, and how many more there are. */
export function boundQuarantined(all: readonly Quarantined[]): Quarantined[] {
  if (all.length <= NAMED_MAX) return [...all];
  const more = { object: `${all.length - NAMED_MAX} more`, reason: MORE };
  return [more, ...all.slice(-NAMED_MAX)];
}

/** How many a bounded list stands for, and those it names. */
export function unboundQuarantined(bounded: readonly Quarantined[]): { named: Quarantined[]; total: number } {
  const named = bounded.filter(({ reason }) => reason !== MORE);
  const more = bounded.find(({ reason }) => reason === MORE);
  return { named, total: named.length + (more === undefined ? 0 : Number.parseInt(more.object, 10)) };
}
