import type { PanelIssuance, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone } from "./majority.ts";

/*
 * All nodes compute the same rate and slot time. The supply drifts within an epoch:
 * the first blocks pay the rewards of the one before (0.01 % of it on mainnet), and
 * fees are burnt. A liar moves the median, and so a cost, by at most a thousandth.
 */

export interface Issuance {
  /** Stakers' part of the supply in a year. */
  validatorRate: number;
  /** Total, lamports. */
  supply: bigint;
  slotMilliseconds: number;
}

export interface AgreedIssuance {
  /** null: no majority. */
  value: Issuance | null;
  /** One of two answered, and the other did not answer. */
  isAlone: boolean;
}

/** While no feature shortens slots. */
const FIRST_SLOT_MILLISECONDS = 400;
/** Supplies agree when they differ by at most one part in this many. */
const SUPPLY_DRIFT_DIVISOR = 1_000n;

type Observed = Pick<SnapshotEntry, "issuance" | "epoch" | "absoluteSlot" | "slotIndex">;
type Answer = Extract<PanelIssuance["answers"][number], { state: "ok" }>;

/** @returns null: not read, or of another epoch */
export function agreeOnIssuance(entry: Observed): AgreedIssuance | null {
  const { issuance, epoch } = entry;
  if (issuance.state !== "ok" || issuance.value.epoch !== epoch) return null;
  const { answers } = issuance.value;
  const issuances = answers.flatMap((answer) =>
    answer.state === "ok" ? [toIssuance(answer, entry)] : [],
  );
  const isAlone = isOneAlone(answers, issuances.length);
  const alike = findMajority(issuances, isAlone ? 1 : answers.length, isSameIssuance);
  const [first] = alike;
  const value =
    first === undefined ? null : { ...first, supply: medianOf(alike.map(({ supply }) => supply)) };
  return { value, isAlone };
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

function medianOf(supplies: readonly bigint[]): bigint {
  return (
    [...supplies].sort((a, b) => (a < b ? -1 : 1))[Math.floor((supplies.length - 1) / 2)] ?? 0n
  );
}
