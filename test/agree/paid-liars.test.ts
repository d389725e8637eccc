import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreeOnPaid } from "../../generator/agree/paid.ts";
import { liarsMostOf } from "../../generator/agree/majority.ts";
import type { PanelRewards, RewardsAnswer } from "../../generator/entries/rewards.ts";
import { rewardsOf, type Rewarded } from "../story/rewards.ts";
import { listsWithout } from "../story/witnesses.ts";

const MINUTE = 140;

const lamports = fc.bigInt({ min: 0n, max: 10n ** 18n });

/** One to four validators with one or two accounts; some earned nothing. */
const validators = fc.array(
  fc.record({
    commission: fc.integer({ min: 0, max: 10_000 }),
    stakes: fc.array(fc.bigInt({ min: 1n, max: 10n ** 16n }), { minLength: 1, maxLength: 2 }),
    isSilent: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

/** What a liar makes of a true answer: any of it, told by all liars alike or by each anew. */
const lie = fc.record(
  {
    totalPoints: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    totalRewards: lamports,
    amounts: fc.array(fc.option(lamports), { minLength: 8, maxLength: 8 }),
    delegated: fc.array(lamports, { minLength: 8, maxLength: 8 }),
    votes: fc.array(fc.option(fc.tuple(lamports, lamports, lamports, fc.option(lamports))), {
      ...{ minLength: 4, maxLength: 4 },
    }),
    observed: lamports,
    activationEpoch: fc.option(fc.nat()),
    /** A rate that the liars invent for all, so that they agree. */
    commission: fc.integer({ min: 0, max: 10_000 }),
    isGone: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("of what an epoch paid nobody who lies", () => {
  it.each([1, 2, 3, 4])("persuades a panel of %i", (size) => {
    fc.assert(
      fc.property(
        validators,
        fc.array(lie, { minLength: liarsMostOf(size), maxLength: liarsMostOf(size) }),
        fc.boolean(),
        (facts, lies, isConspiracy) => {
          const truth = answered(facts, size);
          const told = structuredClone(truth);
          for (const [index, one] of lies.entries()) {
            const telling = isConspiracy ? (lies[0] ?? one) : one;
            told.answers[index] = falsify(
              answered(facts, size, telling.commission),
              index,
              telling,
            );
          }
          const expected = paidIn(truth);
          const agreed = paidIn(told);
          // One of two can only keep both from being believed.
          const isOutvoted = size > 2 || lies.length === 0;
          for (const [index, paid] of agreed.entries())
            if (paid !== null || isOutvoted) expect(paid).toBe(expected[index]);
        },
      ),
      { numRuns: 250 },
    );
  });
});

type Facts = { commission: number; stakes: bigint[]; isSilent: boolean }[];

function answered(facts: Facts, size: number, invented?: number): PanelRewards {
  const reading = Object.fromEntries(
    facts.map(({ commission, stakes, isSilent }, index): [string, Rewarded] => [
      `validator ${index}`,
      {
        stakes: stakes.map((stake) => ({ stake, commission: invented ?? commission })),
        ...(isSilent && { credits: [7n, 7n] }),
      },
    ]),
  );
  return rewardsOf(
    MINUTE,
    Array.from({ length: size }, () => reading),
  ).value;
}

function falsify(
  { answers }: PanelRewards,
  index: number,
  {
    totalPoints,
    totalRewards,
    ...lies
  }: {
    totalPoints?: bigint;
    totalRewards?: bigint;
    amounts?: (bigint | null)[];
    delegated?: bigint[];
    votes?: RewardsAnswer["votes"];
    observed?: bigint;
    activationEpoch?: number | null;
    commission?: number;
    isGone?: boolean;
  },
): RewardsAnswer {
  const answer = answers[index];
  if (answer?.state !== "ok") throw new Error("no answer");
  return {
    ...answer,
    ...(totalPoints !== undefined && { totalPoints }),
    ...(totalRewards !== undefined && { totalRewards }),
    votes: answer.votes.map((vote, index) => lies.votes?.[index] ?? vote),
    stakes: answer.stakes.map((stake, index) => {
      if (stake === null || lies.isGone === true) return null;
      const [delegated, activationEpoch = null, observed, amount = null] = stake;
      if (delegated === undefined) return stake;
      return [
        lies.delegated?.[index] ?? delegated,
        lies.activationEpoch === undefined ? activationEpoch : lies.activationEpoch,
        lies.observed ?? observed ?? 0n,
        lies.amounts === undefined ? amount : (lies.amounts[index] ?? null),
      ];
    }),
  };
}

function paidIn(value: PanelRewards) {
  const silent = value.answers.findIndex(({ state }) => state === "failed");
  const lists = listsWithout(value.answers.length === 2 && silent !== -1 ? silent : null);
  const agreed = agreeOnPaid({ rewards: { state: "ok", value } }, lists);
  return agreed?.validators.map(({ paid }) => paid) ?? [];
}
