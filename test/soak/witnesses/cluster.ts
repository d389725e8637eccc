import type { Chain } from "./chain.ts";

/** Infinity: the cluster stands. */
export interface Pace {
  /** Milliseconds since 1970. */
  time: number;
  slot: number;
  slotMilliseconds: number;
}

export interface Step<T> {
  slot: number;
  value: T;
}

/** What a validator did with its leader slots in an epoch. */
export interface Turn {
  /** As the schedule names it. */
  identity: string;
  leaderSlots: number;
  blocks: number;
  /** Slot of its first block; Infinity: it made none. */
  firstBlock: number;
}

/**
 * A vote account's true history. Steps ascend by slot; before the first rate there is no account.
 */
export interface Validator {
  vote: string;
  identities: Step<string>[];
  authorities: Step<string>[];
  /** Percents before SIMD-0185, basis points since. */
  layout: "percent" | "basis points";
  /** Basis points; null: closed. */
  rates: Step<number | null>[];
  /** Active stake in lamports; changes with an epoch. */
  stakes: Step<bigint>[];
  voting: Step<boolean>[];
  /** Part of its tips that it keeps, basis points; null: it shares none. Changes with an epoch. */
  shares: Step<number | null>[];
  /** By epoch; none: it leads no slot. */
  turns: ReadonlyMap<number, Turn>;
}

export interface Cluster {
  slotsInEpoch: number;
  genesis: string;
  paces: Pace[];
  validators: Validator[];
  byVote: Map<string, Validator>;
  chain: Chain;
}

/** The value at a slot; null: before the first step. */
export function valueAt<T>(steps: readonly Step<T>[], slot: number): T | null {
  return steps.findLast((step) => step.slot <= slot)?.value ?? null;
}

/** Basis points; null: no account. */
export function rateAt({ rates }: Validator, slot: number): number | null {
  return valueAt(rates, slot);
}

export function tipAt({ paces }: Cluster, time: number): number {
  const index = paces.findLastIndex((pace) => pace.time <= time);
  const pace = paces[index] ?? paces[0];
  if (pace === undefined) throw new RangeError("a cluster without a pace");
  const passed = Math.floor(Math.max(0, time - pace.time) / pace.slotMilliseconds);
  const next = paces[index + 1];
  return next === undefined ? pace.slot + passed : Math.min(pace.slot + passed, next.slot);
}

/** When a slot was finalized, milliseconds since 1970. */
export function timeOf({ paces }: Cluster, slot: number): number {
  const pace =
    paces.findLast((one) => one.slot < slot && one.slotMilliseconds !== Infinity) ?? paces[0];
  if (pace === undefined) throw new RangeError("a cluster without a pace");
  return pace.time + Math.max(0, slot - pace.slot) * pace.slotMilliseconds;
}

export function haltedBetween({ paces }: Cluster, from: number, to: number): number {
  return paces.reduce((sum, { time, slotMilliseconds }, index) => {
    if (slotMilliseconds !== Infinity) return sum;
    const end = paces[index + 1]?.time ?? Infinity;
    return sum + Math.max(0, Math.min(end, to) - Math.max(time, from));
  }, 0);
}

export function epochOf({ slotsInEpoch }: Cluster, slot: number): number {
  return Math.floor(slot / slotsInEpoch);
}

export function isMember(cluster: Cluster, validator: Validator, epoch: number): boolean {
  const slot = epoch * cluster.slotsInEpoch;
  return rateAt(validator, slot) !== null && (valueAt(validator.stakes, slot) ?? 0n) > 0n;
}

/** Lamports. */
export function stakeAt({ validators }: Cluster, slot: number): bigint {
  return validators.reduce(
    (sum, validator) =>
      rateAt(validator, slot) === null ? sum : sum + (valueAt(validator.stakes, slot) ?? 0n),
    0n,
  );
}
