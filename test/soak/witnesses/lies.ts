import { rateAt, type Cluster, type Validator } from "./cluster.ts";
import type { Dice } from "../random.ts";
import { keyOf } from "./keys.ts";
import type { Counts } from "./leaders.ts";
import type { TransactionTelling } from "./invented-transactions.ts";
import {
  TRANSACTION_LIES,
  TRANSACTION_TELLINGS,
  type TransactionLieKind,
} from "./transaction-lies.ts";
import type { EpochPlace, VoteState } from "../../cluster/rpc/view.ts";
import type { ListForm } from "./told.ts";

const LIES = [
  "rows left out",
  "rates",
  "old rates",
  "early rates",
  "unreadable rates",
  "stakes",
  "delinquency",
  "slots",
  "epochs",
  "stuck",
  "accounts missing",
  "accounts invented",
  "genesis",
  "delays",
  "silence",
  "errors",
] as const;
/** On who made blocks, and what of their tips they share. */
const LEADER_LIES = ["identities", "blocks", "tips"] as const;
type ObservationLieKind = (typeof LIES)[number];
type LeaderLieKind = (typeof LEADER_LIES)[number];
export type LieKind = ObservationLieKind | LeaderLieKind | TransactionLieKind;
export const ALL_LIES: readonly LieKind[] = [...LIES, ...LEADER_LIES, ...TRANSACTION_LIES];

export const METHODS = [
  "getGenesisHash",
  "getHealth",
  "getEpochInfo",
  "getVoteAccounts",
  "getMultipleAccounts",
  "getBlockProduction",
  "getSignaturesForAddress",
  "getTransaction",
  "getFirstAvailableBlock",
  "getEpochSchedule",
] as const;
export type Method = (typeof METHODS)[number];

export type Trouble = { delay: number } | "error" | "silence";

/** One lie. Fields left out are told truly. */
export interface Lie extends TransactionTelling {
  kind: LieKind;
  /** Whether it is told in this answer; equivocators decide each time. */
  isNow: (at: { time: number; slot: number }) => boolean;
  trouble?: (method: Method) => Trouble | null;
  genesis?: string;
  /** The slot whose state is shown, and the slot claimed for it. */
  seen?: (slot: number, method: Method) => number;
  claimed?: (slot: number, method: Method) => number;
  epoch?: (epoch: EpochPlace) => EpochPlace;
  rows?: (rows: VoteState[], slot: number) => VoteState[];
  /** null: there is none; `rate` null: unreadable. */
  account?: (
    account: { rate: number | null } | null,
    vote: string,
    slot: number,
  ) => { rate: number | null } | null;
  form?: ListForm;
  blocks?: (counts: Counts) => Counts;
  /** Of a tip account, basis points; null: there is none. */
  share?: (share: number | null, vote: string) => number | null;
}

interface Draw {
  dice: Dice;
  cluster: Cluster;
  begin: number;
  end: number;
}

type Telling = Omit<Lie, "kind" | "isNow">;

/**
 * One to five about lists and accounts, as many about transactions, or both, each at its own
 * times; some also about leaders, who are asked about so seldom that these are told all the time.
 */
export function drawLies(draw: Draw): Lie[] {
  const { dice } = draw;
  const drawSome = <Kind extends LieKind>(
    kinds: readonly [Kind, ...Kind[]],
    tellings: Record<Kind, (draw: Draw) => Telling>,
  ): Lie[] =>
    Array.from({ length: dice.pick([1, 1, 2, 2, 3, 4, 5]) }, () => {
      const kind = dice.pick(kinds);
      return { kind, isNow: drawTimes(draw), ...tellings[kind](draw) };
    });
  const observed = drawSome(LIES, TELLINGS);
  const ofTransactions = drawSome(TRANSACTION_LIES, TRANSACTION_TELLINGS);
  const told = dice.pick([observed, ofTransactions, [...observed, ...ofTransactions]]);
  if (!dice.chance(50)) return told;
  const ofLeaders = dice
    .some(LEADER_LIES, 60)
    .map((kind) => ({ kind, isNow: () => true, ...LEADER_TELLINGS[kind](draw) }));
  return dice.chance(50) ? ofLeaders : [...told, ...ofLeaders];
}

function drawTimes({ dice, cluster, begin, end }: Draw): Lie["isNow"] {
  const from = dice.between(begin, end);
  const until = dice.between(from, end);
  const { slotsInEpoch } = cluster;
  const margin = dice.between(20, 300);
  const isNearBoundary = (slot: number) => {
    const index = slot % slotsInEpoch;
    return Math.min(index, slotsInEpoch - index) < margin;
  };
  const percent = dice.between(5, 95);
  return dice.pick<Lie["isNow"]>([
    () => true,
    ({ time }) => time >= from,
    ({ time }) => time < until,
    ({ time }) => time >= from && time <= until,
    ({ slot }) => isNearBoundary(slot),
    () => dice.chance(percent),
    ({ time }) => time >= from && dice.chance(percent),
  ]);
}

const TELLINGS: Record<ObservationLieKind, (draw: Draw) => Telling> = {
  "rows left out": (draw) => {
    const isVictim = drawVictims(draw);
    return { rows: (rows) => rows.filter(({ votePubkey }) => !isVictim(votePubkey)) };
  },
  rates: (draw) => {
    const { dice } = draw;
    const fixed = drawRate(dice);
    const invent = dice.pick([
      () => fixed,
      () => drawRate(dice),
      (rate: number) => Math.min(10_000, rate + fixed),
    ]);
    return falsifyRates(draw, (validator, slot) => invent(rateAt(validator, slot) ?? 0));
  },
  "old rates": (draw) => {
    const slots = 10 ** draw.dice.between(1, 4) * draw.dice.between(1, 9);
    const ahead = draw.dice.chance(40) ? draw.dice.between(1, 149) : 0;
    const falsified = falsifyRates(draw, (validator, slot) => rateAt(validator, slot - slots));
    return { ...falsified, claimed: (slot) => slot + ahead };
  },
  "early rates": (draw) => {
    const slots = draw.dice.between(1, 2_000);
    const behind = draw.dice.chance(40) ? draw.dice.between(1, 149) : 0;
    const falsified = falsifyRates(draw, (validator, slot) => rateAt(validator, slot + slots));
    return { ...falsified, claimed: (slot) => slot - behind };
  },
  "unreadable rates": (draw) => falsifyRates(draw, () => null),
  stakes: (draw) => {
    const isVictim = drawVictims(draw);
    const percent = draw.dice.pick([0, 1, 50, 88, 95, 105, 112, 130, 200, 1_000_000]);
    return falsifyRows(isVictim, ({ activatedStake }) => ({
      activatedStake: (activatedStake * BigInt(percent)) / 100n,
    }));
  },
  delinquency: (draw) => {
    const isVictim = drawVictims(draw);
    const lastVote = draw.dice.pick([0, null]);
    return falsifyRows(isVictim, (_, slot) => ({ lastVote: lastVote ?? slot }));
  },
  slots: ({ dice }) => {
    const distance =
      dice.pick([1, -1]) * Math.min(10 ** 6, dice.between(1, 10) * 10 ** dice.between(0, 6));
    const isOf = drawMethods(dice);
    return { claimed: (slot, method) => (isOf(method) ? Math.max(0, slot + distance) : slot) };
  },
  epochs: ({ dice }) => {
    const [by, index, length] = [
      dice.between(-3, 3),
      dice.between(-200, 200),
      dice.pick([1, 1, 2, 100]),
    ];
    return {
      epoch: ({ epoch, slotIndex, slotsInEpoch, absoluteSlot }) => ({
        ...{ epoch: Math.max(0, epoch + by), slotsInEpoch: slotsInEpoch * length, absoluteSlot },
        slotIndex: Math.max(0, Math.min(slotIndex + index, slotsInEpoch - 1)),
      }),
    };
  },
  stuck: ({ dice, cluster }) => {
    const every = dice.between(200, 20_000);
    const isOf = drawMethods(dice);
    const saysSo = dice.chance(50);
    const begin = cluster.paces[0]?.slot ?? 0;
    const standing = (slot: number, method: Method) =>
      isOf(method) ? begin + Math.floor((slot - begin) / every) * every : slot;
    return { seen: standing, ...(saysSo && { claimed: standing }) };
  },
  "accounts missing": (draw) => {
    const isVictim = drawVictims(draw);
    return { account: (account, vote) => (isVictim(vote) ? null : account) };
  },
  "accounts invented": ({ dice }) => {
    const votes = Array.from({ length: dice.between(1, 5) }, (_, index) =>
      keyOf(`invented ${index}`),
    );
    const stake = BigInt(dice.pick([0, 1_000, 100_000])) * 1_000_000_000n;
    const invented = new Set(votes);
    return {
      rows: (rows, slot) => [
        ...rows,
        ...votes.map((vote) => ({
          votePubkey: vote,
          identity: vote,
          activatedStake: stake,
          basisPoints: drawRate(dice),
          inValidatorSet: true,
          lastVote: slot,
          rootSlot: slot,
          epochCredits: [],
        })),
      ],
      account: (account, vote) => (invented.has(vote) ? { rate: drawRate(dice) } : account),
    };
  },
  genesis: () => ({ genesis: keyOf("another genesis") }),
  delays: ({ dice }) => {
    const isOf = drawMethods(dice);
    const [least, most] = dice.pick<readonly [number, number]>([
      [1_000, 3_000],
      [5_000, 20_000],
      [1_000, 60_000],
    ]);
    return { trouble: (method) => (isOf(method) ? { delay: dice.between(least, most) } : null) };
  },
  silence: ({ dice }) => troubling(drawMethods(dice), "silence"),
  errors: ({ dice }) => troubling(drawMethods(dice), "error"),
};

const LEADER_TELLINGS: Record<LeaderLieKind, (draw: Draw) => Telling> = {
  identities: (draw) => {
    const { dice, cluster } = draw;
    const { validators } = cluster;
    const isVictim = drawVictims(draw);
    const nextOf = new Map(
      validators.map(({ vote }, index) => [
        vote,
        keyOf(`identity ${(index + 1) % validators.length}`),
      ]),
    );
    // Each that of another: then no two share one, which would say nothing.
    if (dice.chance(50))
      return falsifyRows(
        () => true,
        ({ votePubkey, identity }) => ({ identity: nextOf.get(votePubkey) ?? identity }),
      );
    const taken = keyOf(`identity ${dice.between(0, validators.length - 1)}`);
    const toFalse = dice.pick([
      () => taken,
      (vote: string) => vote,
      () => keyOf(`identity ${dice.between(0, 30)}`),
    ]);
    return falsifyRows(isVictim, ({ votePubkey }) => ({ identity: toFalse(votePubkey) }));
  },
  blocks: (draw) => {
    const isVictim = drawVictims(draw);
    const blocks = draw.dice.pick([0, 4, 4, 4]);
    const { validators } = draw.cluster;
    const victims = validators.filter(({ vote }) => isVictim(vote));
    const counts: Counts = Object.fromEntries(
      victims.flatMap(({ identities }) =>
        identities.map(({ value }) => [value, [4, blocks]] as const),
      ),
    );
    return { blocks: (truth) => ({ ...truth, ...counts }) };
  },
  tips: (draw) => {
    const isVictim = drawVictims(draw);
    const share = draw.dice.pick([null, null, 0, 800, 9_500]);
    return { share: (truth, vote) => (isVictim(vote) ? share : truth) };
  },
};

function troubling(isOf: (method: Method) => boolean, trouble: Trouble): Telling {
  return { trouble: (method) => (isOf(method) ? trouble : null) };
}

function falsifyRows(
  isVictim: (vote: string) => boolean,
  falsify: (row: VoteState, slot: number) => Partial<VoteState>,
) {
  const change = (row: VoteState, slot: number) =>
    isVictim(row.votePubkey) ? { ...row, ...falsify(row, slot) } : row;
  return { rows: (rows: VoteState[], slot: number) => rows.map((row) => change(row, slot)) };
}

function falsifyRates(
  draw: Draw,
  falsify: (validator: Validator, slot: number) => number | null,
): Telling {
  const { dice, cluster } = draw;
  const isVictim = drawVictims(draw);
  const where = dice.pick(["list", "accounts", "both", "both"]);
  const form = dice.chance(20)
    ? { form: dice.pick<ListForm>(["floor", "ceil", "basis points"]) }
    : {};
  const toFalse = (vote: string, slot: number, truth: number | null) => {
    const validator = cluster.byVote.get(vote);
    return validator === undefined || !isVictim(vote) ? truth : falsify(validator, slot);
  };
  return {
    ...form,
    ...(where !== "accounts" && {
      rows: (rows, slot) =>
        rows.map((row) => ({
          ...row,
          basisPoints: toFalse(row.votePubkey, slot, row.basisPoints),
        })),
    }),
    ...(where !== "list" && {
      account: (account, vote, slot) => account && { rate: toFalse(vote, slot, account.rate) },
    }),
  };
}

function drawVictims({ dice, cluster }: Draw): (vote: string) => boolean {
  const votes = cluster.validators.map(({ vote }) => vote);
  const some = new Set(dice.some(votes, dice.pick([5, 15, 19, 30, 60, 100, 100])));
  const one = votes[dice.between(0, votes.length - 1)];
  return dice.chance(30) ? (vote) => vote === one : (vote) => some.has(vote);
}

function drawMethods(dice: Dice): (method: Method) => boolean {
  const own = new Set(dice.chance(40) ? METHODS : dice.some(METHODS, 40));
  return (method) => own.has(method);
}

function drawRate(dice: Dice): number {
  return dice.pick([0, 100, 500, 550, 800, 1_000, 5_000, 9_000, 10_000, 10_000, 65_535]);
}
