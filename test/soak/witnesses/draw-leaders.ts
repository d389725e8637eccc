import { rateAt, valueAt, type Step, type Turn, type Validator } from "./cluster.ts";
import type { Span } from "./draw-validators.ts";
import { keyOf } from "./keys.ts";
import type { Dice } from "../random.ts";

const SHARES = [0, 500, 800, 800, 800, 1_000, 3_000, 9_500, 10_000] as const;

/** Identities, shares of tips and leader slots; dead validators have none to draw. */
export function drawLeaders(dice: Dice, span: Span, validators: readonly Validator[]): void {
  for (const [index, validator] of validators.entries()) {
    validator.identities = drawIdentities(dice, span, { validators, index });
    validator.shares = drawShares(dice, span);
    validator.turns = drawTurns(dice, span, validator);
  }
}

/** Some take another one, which may be another validator's, for good or for a while. */
function drawIdentities(
  dice: Dice,
  { from, to }: Span,
  { validators, index }: { validators: readonly Validator[]; index: number },
): Step<string>[] {
  const own = keyOf(`identity ${index}`);
  const other = `identity ${dice.between(0, validators.length - 1)}`;
  const taken = keyOf(dice.chance(50) ? other : `identity ${index} anew`);
  if (dice.chance(5)) return [{ slot: 0, value: taken }];
  if (!dice.chance(15)) return [{ slot: 0, value: own }];
  const slot = dice.between(from, to);
  const back = dice.chance(30) ? [{ slot: slot + dice.between(1, 20_000), value: own }] : [];
  return [{ slot: 0, value: own }, { slot, value: taken }, ...back];
}

/** Of an epoch each; null: it shares none. */
function drawShares(dice: Dice, { firstSlot, to, slotsInEpoch }: Span): Step<number | null>[] {
  const draw = () => (dice.chance(25) ? null : dice.pick(SHARES));
  const steps: Step<number | null>[] = [{ slot: 0, value: draw() }];
  const percent = dice.pick([0, 5, 20, 60]);
  for (
    let slot = Math.ceil(firstSlot / slotsInEpoch) * slotsInEpoch;
    slot < to;
    slot += slotsInEpoch
  )
    if (dice.chance(percent)) steps.push({ slot, value: draw() });
  return steps;
}

/**
 * Only who had stake when the epoch before began, and has
 * some in it, leads slots; small ones do not in every epoch.
 */
function drawTurns(
  dice: Dice,
  { firstSlot, to, slotsInEpoch }: Span,
  validator: Validator,
): Map<number, Turn> {
  const percent = dice.pick([30, 60, 95, 100]);
  const turns = new Map<number, Turn>();
  for (let epoch = Math.floor(firstSlot / slotsInEpoch) - 1; epoch * slotsInEpoch <= to; epoch++) {
    const begin = epoch * slotsInEpoch;
    const isStaked = (slot: number) =>
      (valueAt(validator.stakes, Math.max(slot, firstSlot)) ?? 0n) > 0n;
    const isThere =
      [begin - slotsInEpoch, begin].every(isStaked) &&
      rateAt(validator, Math.max(begin, firstSlot)) !== null;
    if (!isThere || !dice.chance(percent)) continue;
    const leaderSlots = 4 * dice.between(1, 10);
    const blocks = dice.chance(10) ? 0 : dice.between(1, leaderSlots);
    const firstBlock = blocks === 0 ? Infinity : begin + dice.between(0, slotsInEpoch - 1);
    const identity = valueAt(validator.identities, begin - slotsInEpoch) ?? "";
    turns.set(epoch, { identity, leaderSlots, blocks, firstBlock });
  }
  return turns;
}
