import { describe, expect, it } from "vitest";
import {
  snapshotEntrySchema,
  type SnapshotEntry,
  RAW_TEXT_MAX,
} from "../../generator/entries/entry.ts";
import { LocationError } from "../../generator/observe/mmdb.ts";
import { toSection } from "../../generator/observe/section.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import { openServer } from "../rpc/open-server.ts";
import type { Methods } from "../rpc/rpc-server.ts";
import { EPOCH, SLOT, stakeAccount, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import {
  asking,
  entryOf,
  failed,
  fails,
  observe,
  reasonOf,
  SMALL,
  snapshotOf,
  WHOLE,
  WHOLE_SIDES,
} from "./observing.ts";

const OFF = { state: "skipped", off: true };
const NOT_DUE = { state: "skipped", off: false };

describe("a snapshot", () => {
  const place = {
    country: "United Kingdom",
    countryCode: "GB",
    city: "London",
    asn: 1,
    asnOrganization: "x",
  };
  const locations = { find: (ip: string) => (ip === "81.2.69.142" ? place : null) };

  async function startMev() {
    const server = await openServer((_, response) => {
      const row = { vote_account: key(1), mev_commission_bps: 800, running_jito: true };
      response.end(JSON.stringify({ validators: [row] }));
    });
    return server.url;
  }

  it("holds everything, of identities with a vote account only", async () => {
    const { observer, clock } = await observe([{}], { mevUrl: await startMev(), locations });
    const tips = [{ vote: key(1), epoch: EPOCH }];
    const entry = entryOf(await observer.snapshot(asking({ ...WHOLE_SIDES, tips })));
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.votes.find(({ vote }) => vote === key(1))).toMatchObject({
      identity: key(101),
      credits: [[EPOCH, 1150n, 1000n]],
    });
    const ok = (value: unknown) => ({ state: "ok", value });
    const row = {
      vote: key(1),
      mevBasisPoints: 800,
      priorityFeeBasisPoints: null,
      runningBam: null,
    };
    const stakes = entry.votes.map(({ vote }) => [vote, 0n, 0n, 1]);
    expect(entry).toMatchObject({
      kind: "snapshot",
      absent: [],
      creditsUnit: "credits",
      nodes: ok([
        { identity: key(101), version: "4.2.1", clientId: "JitoLabs", ip: "81.2.69.142" },
      ]),
      info: ok([]),
      production: ok({ rows: [[key(101), 8, 7]] }),
      stakeAccounts: ok({ epoch: EPOCH, asOf: new Date(clock.now()).toISOString(), rows: stakes }),
      mev: ok({ rows: [row] }),
      priorityFees: NOT_DUE,
      tips: ok({ tips, controls: [], answers: [{ state: "ok", shares: [null] }] }),
      locations: ok([{ identity: key(101), city: "London" }]),
    });
  });

  it("says of what it did not ask whether it is off or only not due", async () => {
    const asked: unknown[] = [];
    const entry = await snapshotOf([{}], {
      ...SMALL,
      sides(epoch, votes) {
        asked.push([epoch, ...votes]);
        return SMALL.sides(epoch, votes);
      },
    });
    expect(asked).toEqual([[EPOCH, ...entry.votes.map(({ vote }) => vote)]]);
    expect(entry).toMatchObject({ stakeAccounts: NOT_DUE, issuance: NOT_DUE });
    expect(entry).toMatchObject({ mev: OFF, tips: NOT_DUE, priorityFees: NOT_DUE, locations: OFF });
  });

  const only = (program: string, answer: () => unknown, other: unknown): Methods => ({
    getProgramAccounts: ([asked]: [string]) => (asked.startsWith(program) ? answer() : other),
  });
  it.each<[keyof SnapshotEntry, Methods]>([
    ["nodes", { getClusterNodes: fails(-32_000, "no gossip") }],
    ["issuance", { getInflationRate: fails(-32_000, "no rate") }],
    ["production", { getBlockProduction: { value: null } }],
    ["stakeAccounts", only("Stake", () => ({ value: [] }), [])],
    [
      "info",
      only("Config", fails(-32_010, "excluded"), { value: [stakeAccount(1), stakeAccount(2)] }),
    ],
  ])("without %s keeps the rest", async (name, change) => {
    const entry = await snapshotOf([change]);
    expect(entry[name]).toMatchObject(failed("#0 get"));
    expect(entry.votes).toHaveLength(2);
    expect(snapshotEntrySchema.safeParse(entry).error).toBeUndefined();
  });

  it("without nodes has no locations", async () => {
    const entry = await snapshotOf([{ getClusterNodes: null }], WHOLE, { locations });
    expect(entry.locations).toMatchObject({ state: "failed" });
  });

  const withoutMethod = { getAgGenesisCert: fails(-32_601, "Method not found") };
  it.each<[string, Methods[], "credits" | "lamports" | null]>([
    [
      "Alpenglow's certificate is there",
      [{ getAgGenesisCert: { block: { slot: 99 } } }],
      "lamports",
    ],
    ["the node knows there is none yet", [{ getAgGenesisCert: null }], "credits"],
    ["the node does not answer", [withoutMethod], null],
    ["only the second node answers", [withoutMethod, { getAgGenesisCert: {} }], "lamports"],
  ])("says what credits are where %s", async (_, changes, unit) => {
    expect((await snapshotOf(changes)).creditsUnit).toBe(unit);
  });

  const unreadable = voteRow(3, { activatedStake: "5" });
  it("reads the others when one vote account has another shape, and counts it", async () => {
    const getVoteAccounts = { current: [voteRow(1), unreadable], delinquent: [voteRow(2)] };
    const entry = await snapshotOf([{ getVoteAccounts }], { ...WHOLE, expected: [key(3)] });
    expect(entry.votes.map(({ vote }) => vote)).toEqual([key(1), key(2)].sort());
    expect(entry.unreadableRows).toBe(1);
  });

  it("is refused when no vote account can be read, with what is wrong", async () => {
    const getVoteAccounts = { current: [unreadable], delinquent: [voteRow(2, { lastVote: null })] };
    const { observer } = await observe([{ getVoteAccounts }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toMatch(
      /none of 2 rows is readable: .*activatedStake/,
    );
  });
});

describe("an expected vote account that a list may lack", () => {
  const accountsAt = (slot: number, ...value: unknown[]) => ({
    getMultipleAccounts: { context: { slot }, value },
  });
  it.each<[string, Methods, string[]]>([
    ["absent when its account is gone", {}, [key(4)]],
    ["not absent when its account is there but has no row", accountsAt(SLOT, voteAccount(700)), []],
    [
      "not called absent when the question fails",
      { getMultipleAccounts: fails(-32_000, "oops") },
      [],
    ],
    ["not called absent by an answer of an old slot", accountsAt(SLOT - 151, null), []],
    ["absent by one of 150 slots before", accountsAt(SLOT - 150, null), [key(4)]],
  ])("is %s", async (_, change, absent) => {
    expect(await snapshotOf([change], { ...WHOLE, expected: [key(4)] })).toMatchObject({
      absent,
      votes: { length: 2 },
    });
  });
});

describe("a side source", () => {
  const long = "x".repeat(100_000);
  it.each([
    ["an endpoint", new RpcError({ kind: "body", message: long })],
    ["a location database", new LocationError(long)],
  ])(
    "that fails by %s costs its own section, and says why in no more than an entry keeps",
    async (_, error) => {
      const section = await toSection(() => Promise.reject(error));
      expect(section).toEqual({ state: "failed", reason: "x".repeat(RAW_TEXT_MAX) });
    },
  );

  it("that fails by a bug of ours is no side source that fails", async () => {
    await expect(toSection(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
