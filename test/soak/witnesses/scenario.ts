import type { Cluster } from "./cluster.ts";
import { createDice, type Dice } from "../random.ts";
import { drawCluster } from "./draw-cluster.ts";
import type { HistoryPlan } from "./history.ts";
import { drawLies } from "./lies.ts";
import type { Load, WitnessPlan } from "./witness.ts";

const MINUTE = 60_000;
const BEGIN = Date.parse("2026-11-20T10:00:00.000Z");

export interface Scenario {
  seed: number;
  cluster: Cluster;
  witnesses: WitnessPlan[];
  /** Milliseconds since 1970. */
  begin: number;
  end: number;
  promise: "nothing false" | "everything";
  /** When all nodes are under load, so that accounts are out of date. */
  loads: Load[];
  /** Bound for publishing a change that stands, in milliseconds. */
  publishedWithin: number;
  /** All honest nodes read accounts: rates and slots of changes are exact. */
  isReadable: boolean;
  /** An honest node shows only percents. */
  isPercentOnly: boolean;
}

export const STREAMS = {
  scenario: 0,
  cluster: 1,
  liar: 2,
  chain: 3,
  history: 4,
  loads: 5,
  leaders: 6,
  production: 7,
  answers: 8,
} as const;

/** @param options.panel number of witnesses; default: drawn */
export function drawScenario(
  seed: number,
  { panel, minutesMost = 180 }: { panel?: number | undefined; minutesMost?: number } = {},
): Scenario {
  const dice = createDice(seed, STREAMS.scenario);
  const drawn = dice.pick([1, 2, 2, 3, 3, 3, 3, 4, 4, 4]);
  const count = panel ?? drawn;
  const minutes = Math.min(minutesMost, dice.pick([60, 60, 60, 90, 120, 180]));
  const begin = BEGIN + dice.between(0, 59) * MINUTE + dice.between(0, MINUTE - 1);
  const end = begin + minutes * MINUTE;
  const isInPercent = dice.chance(15);
  const cluster = drawCluster(createDice(seed, STREAMS.cluster), {
    begin,
    minutes,
    isInPercent,
    chainDice: createDice(seed, STREAMS.chain),
    leaderDice: createDice(seed, STREAMS.leaders),
  });
  const witnesses = drawWitnesses(dice, count, seed);
  const loads = drawLoads(createDice(seed, STREAMS.loads), { begin, end });
  const hasLiar = count > 1 && dice.chance(count === 2 ? 50 : 85);
  const liar = witnesses[dice.between(0, count - 1)];
  if (hasLiar && liar !== undefined)
    liar.lies = drawLies({ dice: createDice(seed, STREAMS.liar), cluster, begin, end });
  const honest = witnesses.filter(({ lies }) => lies.length === 0);
  const isReadable = honest.every(({ offersAccounts }) => offersAccounts);
  const isPercentOnly = honest.some(({ form }) => form === "floor" || form === "ceil");
  return {
    seed,
    cluster,
    witnesses,
    loads,
    begin,
    end,
    promise: isReadable && !(count === 2 && hasLiar) ? "everything" : "nothing false",
    // Snapshots show what percents hide, one in ten minutes, by
    // nodes that lag a little; under load not the first one.
    publishedWithin: (isPercentOnly ? (loads.length > 0 ? 24 : 14) : 5) * MINUTE,
    isReadable,
    isPercentOnly,
  };
}

/** Nodes flush their accounts about every 50 s. */
function drawLoads(dice: Dice, { begin, end }: { begin: number; end: number }): Load[] {
  const isOften = dice.chance(40);
  if (!isOften && dice.chance(50)) return [];
  const loads: Load[] = [];
  for (let from = begin; from < end; from += dice.between(1, isOften ? 8 : 30) * MINUTE)
    loads.push({ from, to: from + dice.between(1_000, 50_000) });
  return loads;
}

function drawWitnesses(dice: Dice, count: number, seed: number): WitnessPlan[] {
  const historyDice = createDice(seed, STREAMS.history);
  const productionDice = createDice(seed, STREAMS.production);
  const arePercentOnly = dice.chance(20);
  const areOldNodes = dice.chance(8);
  return Array.from({ length: count }, (_, index) => ({
    origin: `https://witness-${index}.example`,
    addresses: dice.chance(10) ? 2 : 1,
    // Up to about 60 slots.
    lagMilliseconds: dice.between(0, 15_000),
    jitter: dice.pick([0, 0, 2, 6]),
    votesBelow: dice.between(0, 4),
    form: arePercentOnly
      ? dice.pick(["floor", "ceil", "both"])
      : dice.pick(["both", "basis points"]),
    offersAccounts: !areOldNodes || dice.chance(50),
    // Firedancer does not.
    countsBlocks: productionDice.chance(92),
    latencyMilliseconds: dice.pick([50, 100, 100, 200, 400]),
    history: drawHistory(historyDice),
    lies: [],
  }));
}

function drawHistory(dice: Dice): HistoryPlan {
  const keepsSlots = dice.pick([
    10 ** 9,
    10 ** 9,
    10 ** 9,
    10 ** 9,
    30_000,
    30_000,
    dice.between(300, 8_000),
    0,
  ]);
  return {
    keepsSlots: dice.chance(60) ? 10 ** 9 : keepsSlots,
    tellsIndex: dice.chance(85),
    tellsTime: dice.chance(85),
    failing: dice.chance(10) ? dice.between(1, 60) : 0,
  };
}
