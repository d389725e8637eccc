import type { LieKind } from "./lies.ts";
import type { Played } from "./play.ts";
import type { Verdict } from "./verdict.ts";

/** What many seeds came to. */
export interface Total {
  seeds: number;
  observations: number;
  lies: Map<LieKind, number>;
  trueEvents: number;
  falseEvents: number;
  missed: number;
  latestPublication: number;
  longestFreeze: number;
  disputes: number;
  faultySeeds: number;
}

export function createTotal(): Total {
  return {
    seeds: 0,
    observations: 0,
    lies: new Map(),
    trueEvents: 0,
    falseEvents: 0,
    missed: 0,
    latestPublication: 0,
    longestFreeze: 0,
    disputes: 0,
    faultySeeds: 0,
  };
}

/** @param promisesAll whether delays and freezes are bounded in this seed */
export function addToTotal(total: Total, { record, told }: Played, verdict: Verdict, promisesAll: boolean): void {
  total.seeds += 1;
  total.observations += record.noted.length;
  for (const [kind, count] of told) total.lies.set(kind, (total.lies.get(kind) ?? 0) + count);
  for (const part of ["trueEvents", "falseEvents", "missed"] as const) total[part] += verdict[part];
  total.disputes += record.disputes.size;
  total.faultySeeds += verdict.faults.length > 0 ? 1 : 0;
  if (!promisesAll) return;
  for (const part of ["latestPublication", "longestFreeze"] as const)
    total[part] = Math.max(total[part], verdict[part]);
}

export function tellTotal(total: Total): string {
  const lies = [...total.lies].sort(([, a], [, b]) => b - a).map(([kind, count]) => `${kind} ${count}`);
  const toMinutes = (milliseconds: number) => `${(milliseconds / 60_000).toFixed(1)} minutes`;
  return [
    `seeds ${total.seeds}, of which ${total.faultySeeds} have faults; entries ${total.observations}`,
    `lies: ${lies.join(", ")}`,
    `events: ${total.trueEvents} true, ${total.falseEvents} false, ${total.missed} missed; ${total.disputes} changes disputed for a while`,
    `latest publication ${toMinutes(total.latestPublication)}, longest freeze ${toMinutes(total.longestFreeze)}`,
  ].join("\n");
}
