import { createChain } from "./chain.ts";
import { tipAt, timeOf, type Cluster, type Pace, type Step, type Validator } from "./cluster.ts";
import type { Dice } from "../random.ts";
import { drawChain } from "./draw-chain.ts";
import { drawLeaders } from "./draw-leaders.ts";
import { drawAuthorities, drawRates, type Span } from "./draw-validators.ts";
import { keyOf } from "./keys.ts";

const MINUTE = 60_000;
const MARGIN_MINUTES = 20;
/** After SIMD-0249 and SIMD-0291. */
/** The few of them share the addresses of tip accounts, each of which takes long to derive. */
const FIRST_EPOCHS = [1_100, 1_101, 1_102] as const;

interface ClusterPlan {
  /** Start of the observation, milliseconds since 1970. */
  begin: number;
  minutes: number;
  isInPercent: boolean;
  chainDice: Dice;
  leaderDice: Dice;
}

export function drawCluster(
  dice: Dice,
  { begin, minutes, isInPercent, chainDice, leaderDice }: ClusterPlan,
): Cluster {
  const slotsInEpoch = dice.pick([500, 800, 1_500, 3_000, 6_000]) + dice.between(0, 200);
  const slotMilliseconds = dice.between(200, 400);
  const first = slotsInEpoch * dice.pick(FIRST_EPOCHS) + dice.between(0, slotsInEpoch - 1);
  const bare: Cluster = {
    slotsInEpoch,
    genesis: keyOf("genesis"),
    paces: [{ time: begin - MARGIN_MINUTES * MINUTE, slot: first, slotMilliseconds }],
    validators: [],
    byVote: new Map(),
    chain: createChain([]),
  };
  const cluster = { ...bare, paces: drawPaces(dice, bare, { begin, minutes }) };
  const span: Span = {
    from: tipAt(cluster, begin),
    to: tipAt(cluster, begin + minutes * MINUTE),
    slotsInEpoch,
    slotsInMinute: Math.round(MINUTE / slotMilliseconds),
    firstSlot: first,
  };
  const validators = drawValidators(dice, span, isInPercent);
  drawAuthorities(chainDice, span, validators);
  drawLeaders(leaderDice, span, validators);
  const whole = {
    ...cluster,
    validators,
    byVote: new Map(validators.map((one) => [one.vote, one])),
  };
  return { ...whole, chain: drawChain(chainDice, whole, { from: first, to: span.to }) };
}

function drawPaces(
  dice: Dice,
  cluster: Cluster,
  { begin, minutes }: { begin: number; minutes: number },
): Pace[] {
  const { slotsInEpoch } = cluster;
  const paces = [...cluster.paces];
  const slotAfter = (minute: number) => tipAt({ ...cluster, paces }, begin + minute * MINUTE);
  if (dice.chance(20)) {
    const slot = Math.ceil(slotAfter(dice.between(10, minutes)) / slotsInEpoch) * slotsInEpoch;
    const [{ slotMilliseconds }] = paces as [Pace];
    const shorter = Math.max(150, Math.round(slotMilliseconds * 0.8));
    paces.push({ time: timeOf({ ...cluster, paces }, slot), slot, slotMilliseconds: shorter });
  }
  if (dice.chance(15))
    halt(paces, { cluster, at: begin + dice.between(5, minutes) * MINUTE, dice });
  return paces;
}

function halt(
  paces: Pace[],
  { cluster, at, dice }: { cluster: Cluster; at: number; dice: Dice },
): void {
  const slot = tipAt({ ...cluster, paces }, at);
  const time = timeOf({ ...cluster, paces }, slot);
  const length = dice.between(30, 480) * 1000;
  const index = paces.findLastIndex((pace) => pace.time <= time);
  const before = paces[index];
  if (before === undefined) return;
  const after = paces.splice(index + 1).map((pace) => ({ ...pace, time: pace.time + length }));
  paces.push(
    { time, slot, slotMilliseconds: Infinity },
    { ...before, time: time + length, slot },
    ...after,
  );
}

function drawValidators(dice: Dice, span: Span, isInPercent: boolean): Validator[] {
  const count = dice.chance(30) ? dice.between(24, 30) : dice.between(8, 24);
  const deadCount = dice.chance(30) ? dice.between(1, 20) : 0;
  const layout = isInPercent ? "percent" : "basis points";
  const living = Array.from(
    { length: count },
    (_, index) => ({ layout, ...drawValidator(dice, span, index) }) as const,
  );
  const dead = Array.from(
    { length: deadCount },
    (_, index) => ({ layout, ...createDead(count + index, span) }) as const,
  );
  drawRates(dice, span, living);
  if (dice.chance(25)) shrink(dice, span, living);
  return [...living, ...dead];
}

type Drawn = Omit<Validator, "layout">;

function drawValidator(
  dice: Dice,
  { from, to, firstSlot, slotsInEpoch }: Span,
  index: number,
): Drawn {
  const isNew = index > 5 && dice.chance(8);
  const born = isNew ? dice.between(from, to) : firstSlot;
  const stake = BigInt(dice.between(50_000, 5_000_000)) * 1_000_000_000n;
  const staked = isNew ? Math.ceil(born / slotsInEpoch) * slotsInEpoch : firstSlot;
  const stakes = [
    ...(staked > born ? [{ slot: born, value: 0n }] : []),
    { slot: staked, value: stake },
  ];
  for (let slot = Math.ceil(from / slotsInEpoch) * slotsInEpoch; slot < to; slot += slotsInEpoch)
    if (slot > staked && dice.chance(20))
      stakes.push({ slot, value: (stake * BigInt(dice.between(97, 103))) / 100n });
  const voting: Step<boolean>[] = [{ slot: isNew && dice.chance(50) ? staked : born, value: true }];
  if (dice.chance(10)) {
    const slot = dice.between(born + 1, Math.max(born + 1, to));
    voting.push({ slot, value: false }, { slot: slot + dice.between(200, 5_000), value: true });
  }
  return { ...keysOf(index), rates: [{ slot: born, value: 0 }], stakes, voting };
}

/** Long without stake and votes: listed only when unstaked delinquents are asked for. */
function createDead(index: number, { firstSlot: slot }: Span): Drawn {
  return {
    ...{ ...keysOf(index), rates: [{ slot, value: 500 }], stakes: [{ slot, value: 0n }] },
    voting: [{ slot, value: false }],
  };
}

/** With an epoch a third of the validators lose their stake and stop voting. */
function shrink(
  dice: Dice,
  { from, to, slotsInEpoch }: Span,
  validators: readonly Validator[],
): void {
  const slot = Math.ceil(dice.between(from, to) / slotsInEpoch) * slotsInEpoch;
  for (const { stakes, voting } of dice.some(validators, 30)) {
    keepBefore(stakes, slot).push({ slot, value: 0n });
    keepBefore(voting, slot).push({ slot, value: false });
  }
}

function keepBefore<T>(steps: Step<T>[], slot: number): Step<T>[] {
  steps.splice(steps.findLastIndex((step) => step.slot < slot) + 1);
  return steps;
}

function keysOf(index: number) {
  return {
    vote: keyOf(`vote ${index}`),
    identities: [],
    authorities: [],
    shares: [],
    turns: new Map(),
  };
}
