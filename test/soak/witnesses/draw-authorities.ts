import { programSignerOf, signerOf } from "./keys.ts";
import type { Step, Validator } from "./cluster.ts";
import type { Dice } from "./dice.ts";
import type { Span } from "./draw-rates.ts";

/**
 * Gives the validators their withdraw authorities: keys of their own, a key of several, the address of a program; and hands
 * some of them over, at times together with a change of the rate.
 */
export function drawAuthorities(dice: Dice, span: Span, validators: readonly Validator[]): void {
  const isShared = dice.chance(40);
  for (const [index, validator] of validators.entries()) {
    const first = isShared && dice.chance(35) ? signerOf(`operator ${dice.between(0, 2)}`) : drawOwn(dice, index);
    validator.authorities = [{ slot: 0, value: first }, ...drawHandovers(dice, span, { validator, index, isShared })];
  }
}

function drawOwn(dice: Dice, index: number): string {
  return dice.chance(12) ? programSignerOf(`authority ${index}`) : signerOf(`authority ${index}`);
}

function drawHandovers(
  dice: Dice,
  { from, to }: Span,
  { validator, index, isShared }: { validator: Validator; index: number; isShared: boolean },
): Step<string>[] {
  if (!dice.chance(15)) return [];
  const [born] = validator.rates;
  const last = validator.rates.at(-1);
  // Of a closed account there is nothing to hand over.
  if (born === undefined || last === undefined || validator.rates.some(({ value }) => value === null)) return [];
  const count = dice.pick([1, 1, 2]);
  const steps: Step<string>[] = [];
  for (let number = 0; number < count; number++) {
    const change = validator.rates[dice.between(1, validator.rates.length)];
    const slot = dice.chance(40) && change !== undefined ? change.slot : dice.between(from, to);
    const value = isShared && dice.chance(60) ? signerOf(`operator ${number}`) : signerOf(`heir ${index} ${number}`);
    if (slot > Math.max(born.slot, steps.at(-1)?.slot ?? 0)) steps.push({ slot, value });
  }
  return steps;
}
