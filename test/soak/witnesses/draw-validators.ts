import type { Step, Validator } from "./cluster.ts";
import { programSignerOf, signerOf } from "./keys.ts";
import type { Dice } from "../random.ts";

export interface Span {
  from: number;
  to: number;
  slotsInEpoch: number;
  slotsInMinute: number;
  firstSlot: number;
}

const WHOLE = [0, 100, 400, 500, 600, 700, 800, 1_000, 2_000, 5_000, 9_000, 9_900, 10_000] as const;
const ODD = [1, 50, 99, 150, 425, 550, 560, 725, 1_250, 8_999, 9_050, 9_999] as const;

type Act = "change" | "rug" | "boundary" | "stairs" | "close";
type ActSteps = { slot: number; kind: "change" | "back" | "close" }[];

const ACTS: Record<Act, (dice: Dice, span: Span, slot: number) => ActSteps> = {
  change: (_dice, _span, slot) => [{ slot, kind: "change" }],
  rug: (dice, { slotsInMinute }, slot) => [
    { slot, kind: "change" },
    { slot: slot + Math.ceil((dice.between(3, 600) * slotsInMinute) / 60), kind: "back" },
  ],
  /** Only around an epoch's end. */
  boundary: (dice, { slotsInEpoch }, slot) => {
    const boundary = Math.ceil(slot / slotsInEpoch) * slotsInEpoch;
    return [
      { slot: boundary - dice.between(1, 200), kind: "change" },
      { slot: boundary + dice.between(0, 300), kind: "back" },
    ];
  },
  stairs: (dice, { slotsInMinute }, slot) =>
    Array.from({ length: dice.between(2, 4) }, (_, index) => ({
      slot: slot + index * dice.between(20, 2 * slotsInMinute),
      kind: "change" as const,
    })),
  /** Closed, sometimes reopened with another rate. */
  close: (dice, { slotsInMinute }, slot) => [
    { slot, kind: "close" },
    ...(dice.chance(60)
      ? [
          {
            slot: slot + dice.between(Math.ceil(slotsInMinute / 4), slotsInMinute * 30),
            kind: "change" as const,
          },
        ]
      : []),
  ],
};

export function drawRates(dice: Dice, span: Span, validators: readonly Validator[]): void {
  for (const validator of validators) {
    const [first] = validator.rates;
    if (first === undefined) continue;
    first.value = drawRate(dice, validator, null);
    const acts = dice.chance(40) ? dice.between(1, 4) : 0;
    for (let act = 0; act < acts; act++) play(dice, span, validator);
  }
  if (dice.chance(15)) changeMany(dice, span, validators);
}

function changeMany(dice: Dice, { from, to }: Span, validators: readonly Validator[]): void {
  const slot = dice.between(from, to);
  const rate = dice.pick(WHOLE);
  for (const validator of dice.some(validators, dice.pick([20, 60, 100]))) {
    const isOne = dice.chance(80);
    add(validator, slot + dice.between(0, 5), isOne ? rate : drawRate(dice, validator, null));
  }
}

function play(dice: Dice, span: Span, validator: Validator): void {
  const kind = dice.pick<Act>([
    "change",
    "change",
    "rug",
    "rug",
    "rug",
    "boundary",
    "stairs",
    "close",
  ]);
  const steps = ACTS[kind](dice, span, dice.between(span.from, span.to));
  const [first] = steps;
  const held = first === undefined ? null : rateBefore(validator.rates, first.slot);
  if (held === null) return;
  let rate: number | null = held;
  for (const step of steps) {
    rate =
      step.kind === "close" ? null : step.kind === "back" ? held : drawRate(dice, validator, rate);
    add(validator, step.slot, rate);
  }
}

function add({ rates }: Validator, slot: number, value: number | null): void {
  const last = rates.at(-1);
  if (last === undefined || slot <= last.slot || last.value === value) return;
  rates.push({ slot, value });
}

function rateBefore(rates: readonly Step<number | null>[], slot: number): number | null {
  const last = rates.at(-1);
  return last === undefined || last.slot >= slot ? null : last.value;
}

function drawRate(dice: Dice, { layout }: Validator, not: number | null): number {
  const isOdd = layout === "basis points" && dice.chance(30);
  const rate: number = isOdd ? dice.pick(ODD) : dice.pick(WHOLE);
  return rate === not ? (rate === 10_000 ? 500 : 10_000) : rate;
}

/** Own keys, multisigs, program addresses; some are handed over, some together with a new rate. */
export function drawAuthorities(dice: Dice, span: Span, validators: readonly Validator[]): void {
  const isShared = dice.chance(40);
  for (const [index, validator] of validators.entries()) {
    const drawOwn = () => (dice.chance(12) ? programSignerOf : signerOf)(`authority ${index}`);
    const value =
      isShared && dice.chance(35) ? signerOf(`operator ${dice.between(0, 2)}`) : drawOwn();
    validator.authorities = [
      { slot: 0, value },
      ...drawHandovers(dice, span, { validator, index, isShared }),
    ];
  }
}

function drawHandovers(
  dice: Dice,
  { from, to }: Span,
  { validator, index, isShared }: { validator: Validator; index: number; isShared: boolean },
): Step<string>[] {
  if (!dice.chance(15)) return [];
  const [born] = validator.rates;
  const last = validator.rates.at(-1);
  // A closed account has nothing to hand over.
  if (
    born === undefined ||
    last === undefined ||
    validator.rates.some(({ value }) => value === null)
  )
    return [];
  const count = dice.pick([1, 1, 2]);
  const steps: Step<string>[] = [];
  for (let number = 0; number < count; number++) {
    const change = validator.rates[dice.between(1, validator.rates.length)];
    const slot = dice.chance(40) && change !== undefined ? change.slot : dice.between(from, to);
    const value =
      isShared && dice.chance(60)
        ? signerOf(`operator ${number}`)
        : signerOf(`heir ${index} ${number}`);
    if (slot > Math.max(born.slot, steps.at(-1)?.slot ?? 0)) steps.push({ slot, value });
  }
  return steps;
}
