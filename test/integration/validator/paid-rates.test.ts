import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UNINDEXED_SLOTS } from "../../../generator/chain/slots.ts";
import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import { readDocument } from "../../service/documents.ts";
import { createDoer, sets, setsPercent, versioned, type Account, type Act } from "./deeds.ts";
import { createKeypair } from "./keys.ts";
import {
  bringKey,
  createMember,
  LATECOMER,
  NEWCOMER,
  reopen,
  STEADY,
  stakeOn,
  type MemberOptions,
} from "./members.ts";
import { watch, type Watching } from "./operator.ts";
import {
  compare,
  findWrong,
  isPaid,
  isPaidBy,
  readPaid,
  toTable,
  type Comparison,
  type Paid,
} from "./paid.ts";
import { play, type Step } from "./story.ts";
import { hasValidator, startValidator, waitForStake } from "./validator.ts";
import { createVoter } from "./voter.ts";

const SLOTS_PER_EPOCH = 96;
/** Compared last; its rewards are paid in the next one. */
const LAST_EPOCH = 12;
const STORY_MILLISECONDS = 1_200_000;

type Witnesses = "one witness" | "two witnesses";

describe.skipIf(!hasValidator)("what a real validator is paid, and what is published of it", () => {
  const sites: Partial<Record<Witnesses, Watching>> = {};
  const told: Record<string, Comparison[]> = {};
  const pointsOfOutsider: CommissionPoint[] = [];
  let ofOwn: { events: CommissionEvent[]; paid: Paid[] };
  const closing: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const validator = await startValidator({ slotsPerEpoch: SLOTS_PER_EPOCH });
    closing.push(() => validator.close());
    const { ask, faucet } = validator;
    const voter = createVoter(ask, faucet);
    const doer = createDoer(validator);
    const at = (epoch: number, slotIndex: number, act: () => Act): Step => {
      return { epoch, slotIndex, act: () => doer.carryOut(act()) };
    };
    const join = async (name: string, options: Omit<MemberOptions, "faucet">) => {
      const member = await createMember(ask, { faucet, ...options });
      voter.add(member);
      return {
        name,
        member,
        vote: member.vote.address,
        stake: member.stake.address,
        authority: member.authority,
      };
    };
    const { vote } = validator;
    const own = { name: "own", vote: vote.address, stake: validator.stake, authority: vote };
    const [reopened, outsider, latecomer] = await Promise.all([
      join("reopened", { keys: STEADY, basisPoints: 700 }),
      join("outsider", { keys: { vote: createKeypair(), bls: null }, basisPoints: 500 }),
      // A key that signs votes too is busy: nobody lists all of its transactions.
      join("latecomer", {
        keys: { ...LATECOMER, bls: null },
        authority: createKeypair(),
        basisPoints: 300,
      }),
    ]);
    await Promise.all(
      [reopened, outsider, latecomer].map(({ member }) => stakeOn(ask, faucet, member)),
    );
    await waitForStake(validator);
    const endpointsOf: Record<Witnesses, string> = {
      "one witness": validator.url,
      "two witnesses": `${validator.url},${validator.url.replace("127.0.0.1", "localhost")}`,
    };
    for (const [witnesses, urls] of Object.entries(endpointsOf)) {
      const site = await watch(urls);
      closing.push(() => site.close());
      sites[witnesses as Witnesses] = site;
    }
    const joining = Promise.withResolvers<Awaited<ReturnType<typeof join>>>();
    const joinLate = () => join("newcomer", { keys: NEWCOMER, basisPoints: 100 });
    const setsNewcomer = (rate: number) => async () =>
      doer.carryOut(sets(await joining.promise, rate));
    const accounts = async () => [own, reopened, outsider, latecomer, await joining.promise];
    const paid: Record<string, Paid[]> = {};
    // The node soon forgets the blocks that tell.
    const readAll = async (epoch: number) => {
      for (const account of await accounts())
        (paid[account.name] ??= [])[epoch] = await readPaid(ask, account, epoch);
    };
    await play(validator, {
      steps: [
        ...Array.from({ length: LAST_EPOCH + 1 }, (_, epoch) => {
          return { epoch: epoch + 1, slotIndex: 60, act: () => readAll(epoch) };
        }),
        at(2, 40, () => sets(own, 525)),
        at(3, SLOTS_PER_EPOCH - 3, () => sets(own, 10_000)),
        at(4, 60, () => versioned(1, setsPercent(own, 9))),
        at(5, 20, () => sets(own, 10_000)),
        at(5, 90, () => sets(own, 900)),
        at(6, 2, () => sets(own, 1234)),
        // Staked early, but in the set, and paid, only two epochs after its BLS key arrives.
        at(3, 70, () => sets(latecomer, 4000)),
        { epoch: 4, slotIndex: 20, act: () => bringKey(ask, faucet, latecomer.member, LATECOMER) },
        at(4, 70, () => sets(latecomer, 1000)),
        at(5, 70, () => sets(latecomer, 2500)),
        // Staked in the epoch after its creation, and raised in it before the stake is active.
        { epoch: 1, slotIndex: 20, act: () => joinLate().then(joining.resolve, joining.reject) },
        {
          epoch: 2,
          slotIndex: 1,
          act: async () => stakeOn(ask, faucet, (await joining.promise).member),
        },
        { epoch: 2, slotIndex: 60, act: setsNewcomer(10_000) },
        { epoch: 5, slotIndex: 30, act: setsNewcomer(2000) },
        // It may be closed two epochs after its last vote.
        {
          epoch: 5,
          slotIndex: 50,
          act() {
            voter.remove(reopened.member);
            return Promise.resolve();
          },
        },
        {
          epoch: 8,
          slotIndex: 20,
          async act() {
            await reopen(ask, reopened.member, { faucet, keys: STEADY, basisPoints: 1500 });
            voter.add(reopened.member);
          },
        },
      ],
      // The last changes are proved once no node's index can lack them.
      until: LAST_EPOCH + 1 + Math.ceil(UNINDEXED_SLOTS / SLOTS_PER_EPOCH),
      meanwhile: () => voter.vote(),
    });
    await Promise.all(Object.values(sites).map((site) => site.stop()));
    for (const account of await accounts()) {
      const paidTo = paid[account.name] ?? [];
      for (const [witnesses, site] of Object.entries(sites)) {
        const { points, events } = await readPublished(site, account);
        if (account === outsider) pointsOfOutsider.push(...points);
        told[`${account.name}, ${witnesses}`] = compare(account.name, {
          paid: paidTo.filter(isPaid),
          points,
          events,
        });
        if (account === own && witnesses === "two witnesses") ofOwn = { events, paid: paidTo };
      }
    }
  }, STORY_MILLISECONDS);

  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  it("is observed without a failure", () => {
    expect(Object.values(sites).flatMap(({ errors }) => errors)).toEqual([]);
  });

  const ACCOUNTS = ["own", "reopened", "latecomer", "newcomer"];

  // A single witness must show a change for most of such a short epoch before it is an event.
  it.each(ACCOUNTS)("is the same rate for every epoch that one witness tells: %s", (name) => {
    const comparisons = told[`${name}, one witness`] ?? [];
    const toldOf = comparisons.filter(({ applied }) => applied !== null);
    expect(toldOf.length, toTable(comparisons)).toBeGreaterThanOrEqual(1);
    expect(findWrong(toldOf), toTable(comparisons)).toEqual([]);
  });

  it.each(ACCOUNTS)("is the same rate for every epoch by two witnesses: %s", (name) => {
    const comparisons = told[`${name}, two witnesses`] ?? [];
    const table = toTable(comparisons);
    const toldOf = comparisons.filter(({ applied }) => applied !== null);
    expect(comparisons.length, table).toBeGreaterThanOrEqual(5);
    expect(toldOf.length, table).toBeGreaterThanOrEqual(3);
    expect(findWrong(comparisons), table).toEqual([]);
  });

  it.each(ACCOUNTS.flatMap((name) => [`${name}, one witness`, `${name}, two witnesses`]))(
    "is measured to the basis point: %s",
    (account) => {
      const comparisons = told[account] ?? [];
      const measured = comparisons.filter((one) => one.measured !== null);
      expect(measured.length, toTable(comparisons)).toBeGreaterThanOrEqual(4);
      const wrong = measured.filter((one) => !isPaidBy(one.paid, one.measured ?? 0));
      expect(wrong, toTable(comparisons)).toEqual([]);
    },
  );

  it("is measured for nobody outside of the validator set, whom nobody pays", () => {
    expect(told["outsider, one witness"]).toEqual([]);
    expect(pointsOfOutsider.length).toBeGreaterThanOrEqual(2 * LAST_EPOCH);
    expect(pointsOfOutsider.filter((point) => point.paidCommission !== null)).toEqual([]);
  });

  // It has all but a thousandth of the stake, so its vote credits are the average.
  it("costs a delegator of the validator itself what is told, but for a hundredth", () => {
    const differences = compareCosts(ofOwn);
    // A change whose window spans a boundary may stay unsettled.
    expect(differences.length).toBeGreaterThanOrEqual(2);
    expect(differences.filter(({ percent }) => Math.abs(percent) >= 1)).toEqual([]);
  });
});

async function readPublished(site: Watching, { vote: votePubkey }: Account) {
  const { data: points } = await readDocument(site, "commissionHistory", { votePubkey });
  const { data: events } = await readDocument(site, "validatorEvents", { votePubkey });
  return { points, events };
}

/**
 * Settled costs beside what was taken: the rate's change
 * times all that validator and delegator were paid.
 */
function compareCosts({
  events,
  paid,
}: {
  events: readonly CommissionEvent[];
  paid: readonly Paid[];
}) {
  return events.flatMap(({ cost }) => {
    const of = paid.find(({ epoch }) => epoch === cost?.basis.epoch);
    if (cost?.basis.isSettled !== true || of === undefined || !isPaid(of)) return [];
    const { epoch, fromCommission, toCommission } = cost.basis;
    const basisPoints = BigInt(Math.round((toCommission - fromCommission) * 100));
    const taken = ((of.toValidator + of.toDelegator) * basisPoints) / 10_000n;
    const difference = BigInt(cost.lamportsPerEpoch) - taken;
    return taken === 0n
      ? []
      : [{ epoch, taken, percent: (Number(difference) / Math.abs(Number(taken))) * 100 }];
  });
}
