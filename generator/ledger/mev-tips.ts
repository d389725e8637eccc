import type { TipsAnswer } from "../entries/entry.ts";
import { toKnownBasisPoints } from "./commission.ts";
import { OUTDATED_MILLISECONDS } from "./outdated-accounts.ts";
import type { Moment, Testimony, TipWord, ValidatorRecord, Word } from "./records.ts";
import { findValidator, type Step } from "./step.ts";
import { findMajority, noteSilence, SILENCE_MILLISECONDS, testify } from "./testimony.ts";
import { epochAt, findClusterSlot, isInPlace, type Panel, witnessOf } from "./witnesses.ts";

/**
 * @param answers one share or null for each of `tips`, in order
 * @returns ordinals of the validators concerned
 */
export function hearTips(
  step: Step,
  tips: readonly { vote: string; epoch: number }[],
  answers: readonly TipsAnswer[],
): Set<number> {
  const told = answers.filter((answer) => answer.state === "ok");
  const slots = told.map(({ slot }) => slot);
  const clusterSlot = findClusterSlot(step.ledger, slots, step.moment.time);
  const readings = told
    .filter(({ slot }) => isInPlace(slot, clusterSlot))
    .map(({ endpoint, slot, shares }) => ({
      witness: witnessOf(step.ledger, endpoint),
      moment: { time: step.moment.time, slot, epoch: epochAt(step.ledger, slot) },
      shares,
    }));
  const silent = answers.flatMap(({ state, endpoint }) =>
    state === "failed" ? [witnessOf(step.ledger, endpoint)] : [],
  );
  const heard = new Set<number>();
  for (const [index, { vote, epoch }] of tips.entries()) {
    const found = findValidator(step.ledger, vote);
    if (found === null) continue;
    heard.add(found.ordinal);
    for (const { witness, moment, shares } of readings) {
      const word = toWord(shares[index] ?? null);
      if (word !== null) hearWord(found.validator, witness, { epoch, word, moment });
    }
    const { pendingMev, tipWords } = found.validator;
    for (const testimony of [tipWords.get(epoch), pendingMev?.testimony]) {
      if (testimony === undefined) continue;
      for (const witness of silent) noteSilence(testimony, witness, step.moment);
    }
  }
  return heard;
}

/** null: the account exists but cannot be read. */
function toWord(told: [number | null] | null): TipWord | null {
  return told === null ? "absent" : toKnownBasisPoints(told[0]);
}

function hearWord(
  validator: ValidatorRecord,
  witness: number,
  { epoch, word, moment }: { epoch: number; word: TipWord; moment: Moment },
): void {
  if (epoch === validator.mevSettledEpoch) return;
  const testimony: Testimony<TipWord> = validator.tipWords.get(epoch) ?? new Map<number, Word<TipWord>>();
  validator.tipWords.set(epoch, testimony);
  testify(testimony, witness, { value: word, moment, of: "account", isSame });
}

/** By a majority; null: none. */
export function findTip(step: Step, panel: Panel, validator: ValidatorRecord, epoch: number): TipWord | null {
  const { moment } = step;
  const standing: Testimony<TipWord> = new Map(
    [...(validator.tipWords.get(epoch) ?? [])].filter(([, { value, first, newest }]) => {
      if (value !== "absent") return true;
      // Under load a node finds no account that is there.
      if (Date.parse(newest.time) - Date.parse(first.time) < OUTDATED_MILLISECONDS) return false;
      // The account can still be made until the epoch ends.
      const age = Date.parse(moment.time) - Date.parse(newest.time);
      return epoch < moment.epoch ? newest.epoch > epoch : age < SILENCE_MILLISECONDS;
    }),
  );
  const isOneSilent = [...standing.values()].some(
    ({ value, first }) => value === null && Date.parse(moment.time) - Date.parse(first.time) >= SILENCE_MILLISECONDS,
  );
  return findMajority(standing, panel, { isSame, isOneSilent })?.value ?? null;
}

/** Epochs with tip-account readings, ascending. */
export function heardEpochs({ tipWords }: ValidatorRecord): number[] {
  return [...tipWords.keys()].sort((a, b) => a - b);
}

function isSame(one: TipWord, other: TipWord): boolean {
  return one === other;
}
