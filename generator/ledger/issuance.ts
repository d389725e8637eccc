import type { PanelIssuance, SnapshotEntry } from "../entries/entry.ts";
import { getStake } from "./columns.ts";
import type { IssuanceWord, Ledger } from "./ledger.ts";
import { isMember, isOfItsEpoch } from "./membership.ts";
import { momentAt } from "./panel-changes.ts";
import { type IssuanceRecord, toTrillionths } from "./staking-rewards.ts";
import type { Step } from "./step.ts";
import { findMajority, hasSilence, noteSilence, testify } from "./testimony.ts";
import { toPanel, witnessOf } from "./witnesses.ts";

/*
 * All nodes compute the same rate and slot time. The supply drifts within an epoch: the first blocks pay the rewards of
 * the one before (0.01 % of it on mainnet), and fees are burnt. A liar moves the median, and so a cost, by at most a
 * thousandth.
 *
 * An epoch's first majority is kept. Until there is one, costs use the epoch before (costs.ts); a change whose epoch
 * ended without one has no cost.
 */

/** While no feature shortens slots. */
const FIRST_SLOT_MILLISECONDS = 400;
/** Supplies agree when they differ by at most one part in this many. */
const SUPPLY_DRIFT_DIVISOR = 1_000n;

export function foldIssuance(step: Step, entry: SnapshotEntry): void {
  if (!isOfItsEpoch(entry)) return;
  const { epoch, issuance } = entry;
  if (issuance.state === "ok" && issuance.value.epoch === epoch && !step.ledger.issuance.has(epoch))
    foldAnswers(step, entry, issuance.value);
  if (step.ledger.issuanceWords?.epoch === epoch) updateSetStake(step, epoch);
}

function foldAnswers(step: Step, entry: SnapshotEntry, { epoch, answers }: PanelIssuance): void {
  const { ledger, moment } = step;
  if (ledger.issuanceWords?.epoch !== epoch) ledger.issuanceWords = { epoch, testimony: new Map() };
  const { testimony } = ledger.issuanceWords;
  const panel = toPanel(ledger, answers);
  for (const answer of answers) {
    const witness = witnessOf(ledger, answer.endpoint);
    if (answer.state === "failed") noteSilence(testimony, witness, moment);
    else
      testify(testimony, witness, {
        value: toWord(entry, answer),
        moment: momentAt(step, answer.slot),
        of: "account",
        isSame,
      });
  }
  const isOneSilent = hasSilence(testimony, panel, moment.time);
  const majority = findMajority(testimony, panel, { isSame, isOneSilent });
  if (majority === null) return;
  const supplies = majority.words.flatMap(({ value }) => (value === null ? [] : [value.supply]));
  keep(step, entry, { ...majority.value, supply: medianOf(supplies), setStake: sumSetStake(ledger, epoch) });
}

function toWord(
  { absoluteSlot, slotIndex }: SnapshotEntry,
  { validatorRate, supply, slotTimes }: Extract<PanelIssuance["answers"][number], { state: "ok" }>,
): IssuanceWord {
  // A feature that became active within an epoch counts from the next one (SIMD-0525).
  const inForce = slotTimes.filter(([, activatedAt]) => activatedAt < absoluteSlot - slotIndex);
  const slotMilliseconds = Math.min(FIRST_SLOT_MILLISECONDS, ...inForce.map(([milliseconds]) => milliseconds));
  return { validatorRate: toTrillionths(validatorRate), supply, slotMilliseconds };
}

function isSame(one: IssuanceWord, other: IssuanceWord): boolean {
  const [less, more] = one.supply < other.supply ? [one.supply, other.supply] : [other.supply, one.supply];
  const isSupplySame = (more - less) * SUPPLY_DRIFT_DIVISOR <= more;
  return one.validatorRate === other.validatorRate && one.slotMilliseconds === other.slotMilliseconds && isSupplySame;
}

function medianOf(supplies: readonly bigint[]): bigint {
  return [...supplies].sort((a, b) => (a < b ? -1 : 1))[Math.floor((supplies.length - 1) / 2)] ?? 0n;
}

function keep(step: Step, entry: SnapshotEntry, told: IssuanceWord & Pick<IssuanceRecord, "setStake">): void {
  if (told.setStake === 0n || told.supply < told.setStake) return;
  const { epoch, slotsInEpoch, creditsUnit } = entry;
  step.ledger.issuance.set(epoch, { ...told, slotsInEpoch, isAlpenglow: creditsUnit === "lamports" });
  touchAllEvents(step);
}

function updateSetStake(step: Step, epoch: number): void {
  const { ledger } = step;
  const held = ledger.issuance.get(epoch);
  const setStake = sumSetStake(ledger, epoch);
  if (held === undefined || held.setStake === setStake || setStake === 0n || held.supply < setStake) return;
  ledger.issuance.set(epoch, { ...held, setStake });
  touchAllEvents(step);
}

/** Who is not known to be outside the set counts. */
function sumSetStake(ledger: Ledger, epoch: number): bigint {
  return ledger.validators.reduce((sum, _, ordinal) => {
    const stake = getStake(ledger.stakes, epoch, ordinal) ?? 0n;
    return stake > 0n && isMember(ledger, { epoch, ordinal }) !== false ? sum + stake : sum;
  }, 0n);
}

function touchAllEvents({ ledger, touched }: Step): void {
  for (const { ordinal } of ledger.events) touched.events.add(ordinal);
}
