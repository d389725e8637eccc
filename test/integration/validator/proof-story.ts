import { z } from "zod";
import { accountSchema, decodeVoteAccount } from "../../../generator/observe/accounts.ts";
import {
  handsOver,
  sets,
  setsBlockRevenue,
  setsCollector,
  setsPercent,
  together,
  versioned,
  type Account,
  type Act,
  type Doer,
} from "./deeds.ts";
import { updateCommissionBasisPoints, transfer } from "../../cluster/transactions/programs.ts";
import { createKeypair } from "./keys.ts";
import {
  createMember,
  LATECOMER,
  NEWCOMER,
  stakeOn,
  STEADY,
  type MemberOptions,
} from "./members.ts";
import type { Step } from "./story.ts";
import type { Validator } from "./validator.ts";
import type { Voter } from "./voter.ts";

export interface Actor extends Account {
  stake: string;
  /** Basis points before the story. */
  before: number;
}

export const NAMES = ["own", "hot", "flipping", "handed", "plain"] as const;
export type Actors = Record<(typeof NAMES)[number], Actor>;

const RENT_LAMPORTS = 1_000_000_000n;

/**
 * The validator's own vote account and four without a node.
 * - own: gets an authority of its own, as every vote names the vote account's key
 * - hot: its authority also signs its votes
 * - plain: outside the validator set
 */
export async function settle(validator: Validator, voter: Voter, doer: Doer): Promise<Actors> {
  const { ask, faucet, vote } = validator;
  const join = async (options: Omit<MemberOptions, "faucet">) => {
    const member = await createMember(ask, { faucet, ...options });
    voter.add(member);
    await stakeOn(ask, faucet, member);
    return { vote: member.vote.address, stake: member.stake.address, authority: member.authority };
  };
  const takeOwn = async () => {
    const own = { name: "own", vote: vote.address, stake: validator.stake, authority: vote };
    const authority = createKeypair();
    await doer.carryOut(handsOver(own, authority));
    return { ...own, authority };
  };
  const settled = await Promise.all([
    takeOwn(),
    join({ keys: STEADY, basisPoints: 700 }),
    join({ keys: NEWCOMER, authority: createKeypair(), basisPoints: 300 }),
    join({ keys: LATECOMER, authority: createKeypair(), basisPoints: 500 }),
    join({
      keys: { vote: createKeypair(), bls: null },
      authority: createKeypair(),
      basisPoints: 400,
    }),
  ]);
  const actors = await Promise.all(
    settled.map(async (one, index): Promise<Actor> => {
      return {
        ...one,
        name: NAMES[index] ?? "",
        before: await readBasisPoints(validator, one.vote),
      };
    }),
  );
  return Object.fromEntries(actors.map((actor) => [actor.name, actor])) as Actors;
}

const answerSchema = z.object({ value: accountSchema.nullable() });

export async function readBasisPoints(
  { ask }: Pick<Validator, "ask">,
  vote: string,
): Promise<number> {
  const options = { commitment: "finalized", encoding: "base64" };
  const { value } = await ask("getAccountInfo", [vote, options], answerSchema);
  return z.int().parse(decodeVoteAccount(value).basisPoints);
}

/** Flips between polls, by account and epoch. */
export const FLIPS: readonly {
  name: keyof Actors;
  epoch: number;
  slotIndex: number;
  through: number;
  to: number;
}[] = [
  { name: "flipping", epoch: 1, slotIndex: 60, through: 10_000, to: 300 },
  { name: "flipping", epoch: 2, slotIndex: 30, through: 10_000, to: 300 },
  { name: "hot", epoch: 3, slotIndex: 30, through: 10_000, to: 0 },
  { name: "flipping", epoch: 4, slotIndex: 20, through: 9_000, to: 600 },
];

/** Raised in the last slots of this epoch, restored in the first of the next. */
export const BOUNDARY = { name: "own", epoch: 1, from: 525, through: 10_000 } as const;

/** The last epoch with a change. */
export const LAST_EPOCH = 4;

export function tell(
  actors: Actors,
  { validator, doer }: { validator: Validator; doer: Doer },
): Step[] {
  const { own, hot, flipping, handed, plain } = actors;
  const at = (epoch: number, slotIndex: number, ...acts: (() => Act)[]): Step => ({
    ...{ epoch, slotIndex },
    act: () => doer.carryOut(...acts.map((make) => make())),
  });
  const heir = createKeypair();
  const flips = FLIPS.map(({ name, epoch, slotIndex, through, to }) =>
    at(
      epoch,
      slotIndex,
      () => sets(actors[name], through),
      () => sets(actors[name], to),
    ),
  );
  return [
    ...flips,
    ...[
      at(1, 50, () => sets(own, BOUNDARY.from)),
      at(1, validator.slotsPerEpoch - 8, () => sets(own, BOUNDARY.through)),
      at(2, 3, () => sets(own, BOUNDARY.from)),
      at(3, 30, () => versioned(1, sets(own, 700))),
      at(4, 20, () => sets(own, 900)),
    ],
    ...[
      at(1, 50, () => setsPercent(hot, 9)),
      at(2, 20, () => sets(hot, 10_000, 900)),
      at(2, 60, () => versioned(1, sets(hot, 10_000, 0))),
      at(4, 20, () => setsPercent(hot, 5)),
    ],
    ...[
      at(2, 75, () => sets(flipping, 1500)),
      at(3, 40, () => together(sets(flipping, 600), sets(plain, 2000))),
    ],
    ...[
      at(1, 50, () => sets(handed, 800)),
      {
        ...{ epoch: 2, slotIndex: 30 },
        async act() {
          await doer.carryOut(handsOver(handed, heir));
          handed.authority = heir;
          // Two between polls; the second stays.
          await doer.carryOut(sets(handed, 4000), sets(handed, 2500));
        },
      },
      at(3, 60, () => versioned(1, sets(handed, 1000))),
      at(4, 30, () => sets(handed, 3000)),
    ],
    ...tellOfPlain(plain, { validator, doer, at }),
  ];
}

function tellOfPlain(
  plain: Actor,
  {
    validator: { faucet },
    doer,
    at,
  }: {
    validator: Validator;
    doer: Doer;
    at: (epoch: number, slotIndex: number, ...acts: (() => Act)[]) => Step;
  },
): Step[] {
  const [stranger, collector] = [createKeypair(), createKeypair().address];
  const funds: Act = {
    instructions: [transfer({ from: faucet.address, to: collector, lamports: RENT_LAMPORTS })],
    keys: [],
    aims: [],
  };
  const takesOver: Act = {
    instructions: [updateCommissionBasisPoints(plain.vote, stranger.address, 10_000)],
    keys: [stranger],
    aims: [],
  };
  return [
    at(1, 50, () => versioned(0, sets(plain, 1234))),
    at(2, 20, () => versioned(1, setsBlockRevenue(plain, 5000))),
    at(2, 40, () => together(funds, setsCollector(plain, collector))),
    { epoch: 3, slotIndex: 70, act: () => doer.fail(takesOver) },
    // The authority signed it, but it failed.
    {
      epoch: 3,
      slotIndex: 75,
      act: () => doer.fail(versioned(1, together(sets(plain, 9900), takesOver))),
    },
    at(4, 30, () => sets(plain, 100)),
  ];
}
