import type { PanelIssuance, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, findReached } from "./majority.ts";
import { decidesAlone, type WitnessLists } from "./witness-lists.ts";

/*
 * All nodes compute the same rate and slot time. The supply drifts within an epoch: the first
 * blocks pay the rewards of the epoch before (0.01 % of the supply on mainnet), and fees are burnt.
 * So supplies may differ by a thousandth, by which a lying witness can at most move the median and
 * with it a cost.
 */

/** Inflation and supply in an epoch. */
export interface Issuance {
  /** The part of the supply that is issued to stakers in a year, 0 to 1. */
  validatorRate: number;
  /** Total supply, in lamports. */
  supply: bigint;
  /** Slot time by which the runtime counts years. */
  slotMilliseconds: number;
}

/** Inflation and supply on which the panel agrees. */
export interface AgreedIssuance {
  /** null: no majority agrees, or it is of another epoch. */
  value: Issuance | null;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
  /** Why witnesses did not answer. */
  failures: readonly string[];
}

/** Slot time until a feature shortens it. */
const FIRST_SLOT_MILLISECONDS = 400;
/** Supplies agree when they differ by at most one part in this many. */
const SUPPLY_DRIFT_DIVISOR = 1_000n;

type Observed = Pick<SnapshotEntry, "issuance" | "epoch" | "absoluteSlot" | "slotIndex">;
type Answer = Extract<PanelIssuance["answers"][number], { state: "ok" }>;

/**
 * Finds the inflation and supply on which a majority agrees. The supply is the median of the
 * majority's.
 * @returns null if they were not read
 */
export function agreeOnIssuance(
  entry: Observed,
  lists: Pick<WitnessLists, "isAlone" | "silent">,
): AgreedIssuance | null {
  const { issuance, epoch } = entry;
  if (issuance.state !== "ok") return null;
  const { answers } = issuance.value;
  const failures = answers.flatMap((answer) => (answer.state === "failed" ? [answer.reason] : []));
  if (issuance.value.epoch !== epoch) return { value: null, isAlone: false, failures };
  const answered = answers.filter((answer) => answer.state === "ok");
  const issuances = answered.map((answer) => toIssuance(answer, entry));
  const isAlone = decidesAlone(lists, answers, answered);
  const alike = findMajority(issuances, isAlone ? 1 : answers.length, isSameIssuance);
  const [first] = alike;
  if (first === undefined) return { value: null, isAlone, failures };
  // What most of them reach is their median, of an even number the lower one in the middle.
  const supplies = alike.map(({ supply }) => supply);
  const supply = findReached(supplies, supplies.length) ?? first.supply;
  return { value: { ...first, supply }, isAlone, failures };
}

function toIssuance(
  { validatorRate, supply, slotTimes }: Answer,
  { absoluteSlot, slotIndex }: Pick<Observed, "absoluteSlot" | "slotIndex">,
): Issuance {
  // A feature that became active within an epoch counts from the next one (SIMD-0525).
  const inForce = slotTimes.filter(([, activatedAt]) => activatedAt < absoluteSlot - slotIndex);
  const slotMilliseconds = Math.min(
    FIRST_SLOT_MILLISECONDS,
    ...inForce.map(([milliseconds]) => milliseconds),
  );
  return { validatorRate, supply, slotMilliseconds };
}

function isSameIssuance(one: Issuance, other: Issuance): boolean {
  const [less, more] =
    one.supply < other.supply ? [one.supply, other.supply] : [other.supply, one.supply];
  const isSupplySame = (more - less) * SUPPLY_DRIFT_DIVISOR <= more;
  return (
    one.validatorRate === other.validatorRate &&
    one.slotMilliseconds === other.slotMilliseconds &&
    isSupplySame
  );
}
