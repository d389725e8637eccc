import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDocument } from "../../service/documents.ts";
import { compare, findWrong, toTable, type Comparison, type Paid, readPaid } from "./paid.ts";
import { compareCosts, toCostTable, toDifferencePercent, type CostComparison } from "./paid-costs.ts";
import type { Keypair } from "../../../infra/demo/cluster/transactions/message.ts";
import { updateCommission, updateCommissionBasisPoints } from "../../../infra/demo/cluster/transactions/programs.ts";
import {
  bringKey,
  createMember,
  LATECOMER,
  NEWCOMER,
  STEADY,
  stakeOn,
  type Member,
  type MemberOptions,
} from "./members.ts";
import type { Ask } from "./rpc.ts";
import { play, type Step } from "./story.ts";
import { sendAndConfirm } from "./transactions.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";
import { createVoter, type Voter } from "./voter.ts";
import { watch, type Watching } from "./operator.ts";

const SLOTS_PER_EPOCH = 96;
/** Compared last; its rewards are paid in the next one. */
const LAST_EPOCH = 8;
const STORY_MILLISECONDS = 480_000;

describe.skipIf(!hasValidator)("what a real validator is paid, and what is published of it", () => {
  let validator: Validator;
  let watching: Watching;
  let told: Record<string, Comparison[]>;
  let costs: CostComparison[];
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    validator = await startValidator({ slotsPerEpoch: SLOTS_PER_EPOCH });
    closing.push(() => validator.close());
    const voter = createVoter(validator.ask, validator.faucet);
    const settled = await settle(validator, voter, {
      steady: { keys: STEADY, basisPoints: 700 },
      latecomer: { keys: { ...LATECOMER, bls: null }, basisPoints: 300 },
    });
    await Promise.all(Object.values(settled).map((member) => stakeOn(validator.ask, validator.faucet, member)));
    watching = await watch(validator.url);
    closing.push(() => watching.close());
    const members: Record<string, Member> = { ...settled };
    const own = { vote: validator.vote, authority: validator.vote };
    await play(validator, {
      steps: [
        ...tellOfOwn(validator, own),
        ...tellOfLatecomer(validator, members["latecomer"]!),
        ...tellOfNewcomer(validator, async () => {
          const { newcomer } = await settle(validator, voter, { newcomer: { keys: NEWCOMER, basisPoints: 100 } });
          members["newcomer"] = newcomer!;
          return newcomer!;
        }),
      ],
      until: LAST_EPOCH + 1,
      meanwhile: () => voter.vote(),
    });
    await watching.stop();
    const accounts = Object.entries(members).map(
      ([name, { vote, stake }]) => [name, vote.address, stake.address] as const,
    );
    ({ told, costs } = await compareAll(validator, watching, [
      ["own", own.vote.address, validator.stake],
      ...accounts,
    ]));
  }, STORY_MILLISECONDS);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  it("is observed without a failure", () => {
    expect(watching.errors).toEqual([]);
  });

  it.each(["own", "steady", "latecomer", "newcomer"])("is the same rate for every epoch: %s", (name) => {
    const comparisons = told[name] ?? [];
    expect(comparisons.length).toBeGreaterThanOrEqual(5);
    expect(comparisons.filter(({ applied }) => applied !== null).length).toBeGreaterThanOrEqual(3);
    expect(findWrong(comparisons), toTable(comparisons)).toEqual([]);
  });

  // It has all but a thousandth of the stake, so its vote credits are the average.
  it("costs a delegator of the validator itself what is told, but for a hundredth", async ({ annotate }) => {
    const own = costs.filter(({ validator }) => validator === "own");
    const differences = own.map(toDifferencePercent);
    await annotate(toCostTable(costs));
    // A change whose window spans a boundary may stay unsettled.
    expect(own.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...differences.map(Math.abs)), toCostTable(costs)).toBeLessThan(1);
  });
});

async function settle(
  { ask, faucet }: Validator,
  voter: Voter,
  wanted: Record<string, Omit<MemberOptions, "faucet">>,
): Promise<Record<string, Member>> {
  const members = await Promise.all(
    Object.entries(wanted).map(async ([name, options]) => {
      const member = await createMember(ask, { faucet, ...options });
      voter.add(member);
      return [name, member] as const;
    }),
  );
  return Object.fromEntries(members);
}

function tellOfOwn({ ask, faucet }: Validator, account: Decided): Step[] {
  const to = (basisPoints: number) => () => decide(ask, faucet, account, basisPoints);
  return [
    { epoch: 2, slotIndex: 40, act: to(525) },
    { epoch: 3, slotIndex: SLOTS_PER_EPOCH - 3, act: to(10_000) },
    { epoch: 4, slotIndex: 60, act: () => decideInPercent(ask, faucet, account, 9) },
    { epoch: 5, slotIndex: 20, act: to(10_000) },
    { epoch: 5, slotIndex: 90, act: to(900) },
    { epoch: 6, slotIndex: 2, act: to(1234) },
  ];
}

/** Staked early, but in the set, and paid, only two epochs after its BLS key arrives. */
function tellOfLatecomer({ ask, faucet }: Validator, member: Member): Step[] {
  const to = (basisPoints: number) => () => decide(ask, faucet, member, basisPoints);
  return [
    { epoch: 3, slotIndex: 70, act: to(4000) },
    { epoch: 4, slotIndex: 20, act: () => bringKey(ask, faucet, member, LATECOMER) },
    { epoch: 4, slotIndex: 70, act: to(1000) },
    { epoch: 5, slotIndex: 70, act: to(2500) },
  ];
}

/** Staked in the epoch after its creation, and raised in it before the stake is active. */
function tellOfNewcomer({ ask, faucet }: Validator, create: () => Promise<Member>): Step[] {
  const created = Promise.withResolvers<Member>();
  const to = (basisPoints: number) => async () => decide(ask, faucet, await created.promise, basisPoints);
  return [
    { epoch: 1, slotIndex: 20, act: () => create().then(created.resolve, created.reject) },
    { epoch: 2, slotIndex: 1, act: async () => stakeOn(ask, faucet, await created.promise) },
    { epoch: 2, slotIndex: 60, act: to(10_000) },
    { epoch: 5, slotIndex: 30, act: to(2000) },
  ];
}

type Decided = Pick<Member, "vote" | "authority">;

function decide(ask: Ask, faucet: Keypair, { vote, authority }: Decided, basisPoints: number) {
  const instructions = [updateCommissionBasisPoints(vote.address, authority.address, basisPoints)];
  return sendAndConfirm(ask, { keys: [faucet, authority], instructions });
}

function decideInPercent(ask: Ask, faucet: Keypair, { vote, authority }: Decided, percent: number) {
  const instructions = [updateCommission(vote.address, authority.address, percent)];
  return sendAndConfirm(ask, { keys: [faucet, authority], instructions, version: 0 });
}

async function compareAll(
  { ask }: Validator,
  watching: Watching,
  accounts: readonly (readonly [name: string, vote: string, stake: string])[],
): Promise<{ told: Record<string, Comparison[]>; costs: CostComparison[] }> {
  const told: Record<string, Comparison[]> = {};
  const costs: CostComparison[] = [];
  for (const [name, vote, stake] of accounts) {
    const { data: points } = await readDocument(watching, "commissionHistory", { votePubkey: vote });
    const { data: events } = await readDocument(watching, "validatorEvents", { votePubkey: vote });
    const paid: Paid[] = [];
    for (let epoch = 0; epoch <= LAST_EPOCH; epoch++) {
      const of = await readPaid(ask, { vote, stake }, epoch);
      if (of !== null) paid.push(of);
    }
    told[name] = compare(name, { paid, points, events });
    costs.push(...compareCosts(name, { paid, events }));
  }
  return { told, costs };
}
