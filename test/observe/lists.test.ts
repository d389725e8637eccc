import { describe, expect, it } from "vitest";
import {
  checkEntrySchema,
  snapshotEntrySchema,
  type CheckEntry,
} from "../../generator/entries/entry.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { EPOCH, EPOCH_INFO, SLOT, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, inTurn, observe, observeHanging, reasonOf, SMALL } from "./observing.ts";

const list = (...current: object[]): Methods => ({ getVoteAccounts: { current, delinquent: [] } });
const staked = (activatedStake: number): Methods => list(voteRow(1, { activatedStake }));
/** Of a node that knows no basis points. */
const percents = (...votes: number[]): Methods =>
  list(...votes.map((vote) => voteRow(vote, { inflationRewardsCommissionBps: null })));
const at = (fields: object): Methods => ({ getEpochInfo: { ...EPOCH_INFO, ...fields } });

const positionOf = (endpoint: string) => Number(endpoint.split("#")[1]);
const baseOf = ({ endpoint }: Pick<CheckEntry, "endpoint">) => positionOf(endpoint);
const checkOf = async (changes: Methods[]) =>
  entryOf(await (await observe(changes)).observer.check());

describe("the list that an entry keeps whole", () => {
  const next = at({ epoch: EPOCH + 1, slotIndex: 3 });
  const early = at({ slotIndex: EPOCH_INFO.slotIndex + 19 });
  const long = at({ slotsInEpoch: EPOCH_INFO.slotsInEpoch * 2 });
  const later = {
    ...at({ slotIndex: EPOCH_INFO.slotIndex + 9, absoluteSlot: SLOT + 9 }),
    ...staked(9),
  };
  const far = {
    ...at({ absoluteSlot: SLOT + 9_000 }),
    ...list(voteRow(1, { lastVote: SLOT + 9_000 })),
  };

  const pair = list(voteRow(1), voteRow(2));

  it.each<[string, Methods[], number]>([
    ["the first, of equals", [{}, {}, {}], 0],
    ["the first, of two", [staked(9), staked(5)], 0],
    [
      "the first with basis points, of equals",
      [percents(1), list(voteRow(1)), list(voteRow(1))],
      1,
    ],
    ["the one that differs least from the others, whoever is first", [staked(9), {}, {}], 1],
    ["none that leaves a vote account out", [list(voteRow(1)), pair, pair], 1],
    ["none that makes one up", [list(voteRow(1), voteRow(2), voteRow(3)), pair, pair], 1],
    [
      "none that says who is delinquent otherwise",
      [{ getVoteAccounts: { current: [voteRow(1)], delinquent: [voteRow(2)] } }, pair, pair],
      1,
    ],
    [
      "none that says otherwise who is whose identity",
      [list(voteRow(1, { nodePubkey: key(99) }), voteRow(2)), pair, pair],
      1,
    ],
    [
      "none whose newest vote is elsewhere",
      [list(voteRow(1, { lastVote: SLOT + 1_000 }), voteRow(2)), pair, pair],
      1,
    ],
    ["the first of two and two", [staked(9), pair, staked(9), pair], 0],
    [
      "of the epoch of most, whatever the stakes",
      [{ ...next, ...staked(5) }, staked(9), staked(1)],
      1,
    ],
    [
      "of an epoch that begins where most say, whatever the stakes",
      [{ ...early, ...staked(5) }, staked(9), staked(1)],
      1,
    ],
    [
      "of an epoch that is as long as most say, whatever the stakes",
      [{ ...long, ...staked(5) }, staked(9), staked(1)],
      1,
    ],
    [
      "of the epoch of most, at different slots of it",
      [{ ...next, ...staked(5) }, later, staked(1)],
      1,
    ],
    [
      "of where the cluster is, whatever the stakes",
      [{ ...far, ...staked(5) }, staked(9), staked(1)],
      1,
    ],
    ["of one that gave a list", [{ getVoteAccounts: null }, staked(9), {}], 1],
  ])("is %s", async (_, changes, position) => {
    expect(baseOf(await checkOf(changes))).toBe(position);
  });

  it("is not that of a witness whose epoch ended meanwhile, which then gave none", async () => {
    const moving: Methods = {
      getEpochInfo: inTurn(EPOCH_INFO, { ...EPOCH_INFO, epoch: EPOCH + 1, slotIndex: 0 }),
    };
    const { endpoint, panel } = await checkOf([moving, {}, {}]);
    expect(positionOf(endpoint)).toBe(1);
    const reason = expect.stringContaining("the epoch changed from 1053 to 1054") as string;
    expect(panel).toMatchObject([
      { slot: SLOT, epoch: EPOCH, list: null, reason },
      { reason: null },
      { reason: null },
    ]);
  });
});

const SAME = { slot: SLOT - 2, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] };

describe("the list of each witness", () => {
  const toRow = (vote: number, fields: object = {}) => ({
    ...{
      vote: key(vote),
      basisPoints: 750,
      percent: 8,
      delinquent: false,
      activeStake: 5_000_000_000n,
    },
    ...{ identity: key(vote + 100), inValidatorSet: true },
    ...fields,
  });
  const common = list(voteRow(1), voteRow(2));
  const listsOf = async (other: Methods) =>
    (await checkOf([common, common, other])).panel.map((row) => row.list);
  const rate = { inflationRewardsCommissionBps: 900, commission: 9 };

  it.each<[string, Methods, object]>([
    ["nothing, where it is the same", list(voteRow(2), voteRow(1)), {}],
    ["its slot", list(voteRow(1, { lastVote: SLOT }), voteRow(2)), { slot: SLOT }],
    [
      "how many rows are unreadable",
      list(voteRow(1), voteRow(2), voteRow(3, { lastVote: "x" })),
      { unreadableRows: 1 },
    ],
    ["what it lacks", list(voteRow(2)), { lacks: [key(1)] }],
    ["what it has besides", list(voteRow(1), voteRow(2), voteRow(3)), { rows: [toRow(3)] }],
    [
      "other rates",
      list(voteRow(1, rate), voteRow(2)),
      { rows: [toRow(1, { basisPoints: 900, percent: 9 })] },
    ],
    [
      "no basis points",
      list(voteRow(1, { inflationRewardsCommissionBps: null }), voteRow(2)),
      { rows: [toRow(1, { basisPoints: null })] },
    ],
    ["that it has no basis points at all", percents(1, 2), { hasBasisPoints: false }],
    [
      "another stake",
      list(voteRow(1, { activatedStake: 7 }), voteRow(2)),
      { rows: [toRow(1, { activeStake: 7n })] },
    ],
    [
      "who is delinquent, also without stake",
      {
        getVoteAccounts: { current: [voteRow(2)], delinquent: [voteRow(1, { activatedStake: 0 })] },
      },
      { rows: [toRow(1, { delinquent: true, activeStake: 0n })] },
    ],
    [
      "several rows by their keys",
      list(voteRow(2, rate), voteRow(1, rate)),
      { rows: [1, 2].map((vote) => toRow(vote, { basisPoints: 900, percent: 9 })) },
    ],
    [
      "no other identity and no other validator set, which a check does not keep",
      list(voteRow(1, { nodePubkey: key(99), epochVoteAccount: false }), voteRow(2)),
      {},
    ],
  ])("is kept by how it differs from that: %s", async (_, other, difference) => {
    expect(await listsOf(other)).toEqual([SAME, SAME, { ...SAME, ...difference }]);
  });

  it("leaves out dead accounts that only it lists, unless they are expected", async () => {
    const dead: Methods = {
      getVoteAccounts: {
        current: [voteRow(1), voteRow(2)],
        delinquent: [3, 4].map((one) => voteRow(one, { activatedStake: 0 })),
      },
    };
    const { observer } = await observe([common, common, dead]);
    const { panel } = entryOf(await observer.check({ expected: [key(4)] }));
    expect(panel[2]?.list?.rows).toEqual([toRow(4, { delinquent: true, activeStake: 0n })]);
  });

  it("has at most as many accounts besides as the whole list: anybody can make up thousands", async () => {
    const other = list(...Array.from({ length: 9 }, (_, index) => voteRow(index + 1)));
    const [, , lying] = await listsOf(other);
    expect(lying?.rows).toHaveLength(2);
    expect(lying?.lacks).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, object]>([
    ["the validator set", { epochVoteAccount: false }, { inValidatorSet: false }],
    ["identities", { nodePubkey: key(99) }, { identity: key(99) }],
  ])("differs in a snapshot by %s too", async (_, fields, difference) => {
    const other = list(voteRow(1, fields), voteRow(2));
    const { observer } = await observe([common, common, other]);
    const entry = entryOf(await observer.snapshot(SMALL));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.panel[2]?.list).toEqual({ ...SAME, rows: [toRow(1, difference)] });
  });

  it("is kept with the epoch and slot of the witness, wherever that is: the ledger judges it", async () => {
    const elsewhere = {
      ...at({ epoch: EPOCH + 1, slotIndex: 3, absoluteSlot: SLOT + 9 }),
      ...list(voteRow(1), voteRow(2)),
    };
    const { panel } = await checkOf([common, common, elsewhere]);
    expect(panel).toMatchObject([
      { slot: SLOT, epoch: EPOCH, list: SAME, reason: null },
      { slot: SLOT, epoch: EPOCH, list: SAME, reason: null },
      { slot: SLOT + 9, epoch: EPOCH + 1, list: SAME, reason: null },
    ]);
  });
});

describe("a witness without a list", () => {
  it.each<[string, Methods, RegExp, number | null]>([
    [
      "whose node is far behind what it lists",
      list(voteRow(1, { lastVote: SLOT - 151 })),
      /#2 getV.*: .*over 150/,
      SLOT,
    ],
    ["that fails", { getVoteAccounts: fails(-32_000, "oops") }, /#2 getVoteAccounts: .*oops/, SLOT],
    ["that lists nobody", list(), /#2 getVoteAccounts: no vote account/, SLOT],
    ["that says it is behind", { getHealth: fails(-32_005, "is behind") }, /is behind/, null],
    ["of another cluster", { getGenesisHash: key(78) }, /#2: genesis hash/, null],
  ])(
    "%s has the reason in its row, and costs the others nothing",
    async (_, change, reason, slot) => {
      const entry = await checkOf([{}, {}, change]);
      expect(checkEntrySchema.parse(entry)).toEqual(entry);
      const silent = { slot, epoch: slot === null ? null : EPOCH, list: null };
      expect(entry.panel).toMatchObject([{ list: SAME }, { list: SAME }, silent]);
      expect(entry.panel[2]?.reason).toMatch(reason);
    },
  );

  it("leaves a refusal that names each, where none has one", async () => {
    const { observer } = await observe([{ getVoteAccounts: fails(-32_000, "oops") }, list()]);
    expect(reasonOf(await observer.check())).toMatch(
      /#0 getVoteAccounts: .*oops; .*#1 getVoteAccounts: no vote account/,
    );
  });

  it.each(["check", "snapshot"] as const)(
    "that hangs beside two others costs a %s five seconds",
    async (kind) => {
      const { observer, clock } = await observeHanging([{}, {}, {}], {
        hangs: (position, method) => position === 0 && method === "getVoteAccounts",
      });
      const startedAt = clock.now();
      const { endpoint, panel } =
        kind === "check"
          ? entryOf(await observer.check())
          : entryOf(await observer.snapshot(SMALL));
      expect(clock.now() - startedAt).toBe(5_000);
      expect(positionOf(endpoint)).toBe(1);
      const reason = expect.stringContaining("no answer in time") as string;
      expect(panel).toMatchObject([{ list: null, reason }, { list: SAME }, { list: SAME }]);
    },
  );

  it("that hangs is waited for as long as a check lasts, where it is alone", async () => {
    const { observer, clock } = await observeHanging([{}], {
      hangs: (_, method) => method === "getVoteAccounts",
    });
    const startedAt = clock.now();
    expect(reasonOf(await observer.check())).toContain("no answer in time");
    expect(clock.now() - startedAt).toBe(40_000);
  });
});

const isRead = async (lastVote: number) => {
  const { observer } = await observe([list(voteRow(1, { lastVote }))]);
  return (await observer.check()).passed;
};

it("a list of vote accounts may lie 150 slots before or after the slot that the endpoint answered, and no more", async () => {
  await expect(Promise.all([SLOT - 150, SLOT + 150].map(isRead))).resolves.toEqual([true, true]);
  await expect(Promise.all([SLOT - 151, SLOT + 151].map(isRead))).resolves.toEqual([false, false]);
});
