import { describe, expect, it } from "vitest";
import { snapshotEntrySchema, type SnapshotEntry, RAW_TEXT_MAX } from "../../generator/entries/entry.ts";
import type { SnapshotRequest } from "../../generator/observe/snapshot.ts";
import { EPOCH, healthyNode, SLOT, stakeAccount, voteAccount, voteRow } from "./cluster.ts";
import { key } from "./fixtures.ts";
import { entryOf, fails, observe, reasonOf, servers } from "./observing.ts";
import { startServer, type Methods } from "../rpc/rpc-server.ts";
import { LocationError } from "../../generator/observe/mmdb.ts";
import { RpcError } from "../../generator/rpc/error.ts";
import { toSection } from "../../generator/observe/section.ts";

const WHOLE: SnapshotRequest = { expected: [], scanStakeAccounts: () => true, closedMev: () => null };

describe("a snapshot", () => {
  const locations = {
    find: (ip: string) =>
      ip === "81.2.69.142"
        ? { country: "United Kingdom", countryCode: "GB", city: "London", asn: 1, asnOrganization: "x" }
        : null,
  };

  async function startMev() {
    const server = await startServer(({ body }, response) => {
      const [bps, stake] = body?.epoch === undefined ? [800, 2] : [500, 1];
      const row = { vote_account: key(1), mev_commission_bps: bps, running_jito: true, active_stake: stake };
      response.end(JSON.stringify({ validators: [row] }));
    });
    servers.push(server);
    return server.url;
  }

  it("holds everything, of identities with a vote account only", async () => {
    const { observer, clock } = await observe([{}], { mevUrl: await startMev(), locations });
    const entry = entryOf(
      await observer.snapshot({ ...WHOLE, closedMev: (epoch) => ({ epoch: epoch - 1, votes: [key(1)] }) }),
    );
    expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
    expect(entry.votes.find(({ vote }) => vote === key(1))).toMatchObject({
      identity: key(101),
      credits: [[EPOCH, 1150n, 1000n]],
    });
    const rows = [{ vote: key(1), mevBasisPoints: 800, priorityFeeBasisPoints: null, runningBam: null }];
    expect(entry).toMatchObject({
      kind: "snapshot",
      absent: [],
      creditsUnit: "credits",
      nodes: {
        state: "ok",
        value: [{ identity: key(101), version: "4.2.1", clientId: "JitoLabs", ip: "81.2.69.142" }],
      },
      info: { state: "ok", value: [] },
      production: { state: "ok", value: { rows: [[key(101), 8, 7]] } },
      stakeAccounts: { state: "ok", value: { epoch: EPOCH, asOf: new Date(clock.now()).toISOString() } },
      mev: { state: "ok", value: { rows } },
      tips: { state: "skipped", off: false },
      closedMev: { state: "ok", value: { epoch: EPOCH - 1, rows: [{ ...rows[0], mevBasisPoints: 500 }] } },
      closedTips: {
        state: "ok",
        value: { epoch: EPOCH - 1, votes: [key(1)], answers: [{ state: "ok", shares: [null] }] },
      },
      locations: { state: "ok", value: [{ identity: key(101), city: "London" }] },
    });
    expect(entry.stakeAccounts.state === "ok" && entry.stakeAccounts.value.rows).toEqual(
      entry.votes.map(({ vote }) => [vote, 0n, 0n, 1]),
    );
  });

  it("says of what it did not ask whether it is off or only not due", async () => {
    const { observer } = await observe([{}]);
    const off = { state: "skipped", off: true };
    const notDue = { state: "skipped", off: false };
    const entry = entryOf(await observer.snapshot({ ...WHOLE, scanStakeAccounts: (epoch) => epoch !== EPOCH }));
    expect(entry).toMatchObject({ stakeAccounts: notDue, mev: off, closedMev: off, locations: off });
    const { observer: other } = await observe([{}], { mevUrl: await startMev(), locations });
    expect(entryOf(await other.snapshot(WHOLE))).toMatchObject({ closedMev: notDue });
  });

  it.each<[keyof SnapshotEntry, Methods]>([
    ["nodes", { getClusterNodes: fails(-32_000, "no gossip") }],
    ["production", { getBlockProduction: { value: null } }],
    [
      "stakeAccounts",
      { getProgramAccounts: ([program]: [string]) => (program.startsWith("Stake") ? { value: [] } : []) },
    ],
    [
      "info",
      {
        getProgramAccounts: ([program]: [string]) =>
          program.startsWith("Config") ? fails(-32_010, "excluded")() : { value: [stakeAccount(1), stakeAccount(2)] },
      },
    ],
  ])("without %s keeps the rest", async (name, change) => {
    const { observer } = await observe([change]);
    const entry = entryOf(await observer.snapshot(WHOLE));
    expect(entry[name]).toMatchObject({ state: "failed", reason: expect.stringContaining("#0 get") as string });
    expect(entry.votes).toHaveLength(2);
    expect(snapshotEntrySchema.safeParse(entry).error).toBeUndefined();
  });

  it("takes a side source from another endpoint when the first does not offer it", async () => {
    const { observer, nodes } = await observe([{ getClusterNodes: fails(-32_601, "Method not found") }, {}]);
    const entry = entryOf(await observer.snapshot(WHOLE));
    expect(entry.endpoint).toBe(`${nodes[0]?.url ?? ""}#0`);
    expect(entry.nodes.state).toBe("ok");
  });

  it("without nodes has no locations", async () => {
    const { observer } = await observe([{ getClusterNodes: null }], { locations });
    expect(entryOf(await observer.snapshot(WHOLE)).locations).toMatchObject({ state: "failed" });
  });

  it.each<[string, Methods[], "credits" | "lamports" | null]>([
    ["Alpenglow's certificate is there", [{ getAgGenesisCert: { block: { slot: 99 } } }], "lamports"],
    ["the node knows there is none yet", [{ getAgGenesisCert: null }], "credits"],
    ["the node cannot tell", [{ getAgGenesisCert: fails(-32_601, "Method not found") }], null],
    [
      "only the second node can tell",
      [{ getAgGenesisCert: fails(-32_601, "no") }, { getAgGenesisCert: {} }],
      "lamports",
    ],
  ])("says what credits are where %s", async (_, changes, unit) => {
    const { observer } = await observe(changes);
    expect(entryOf(await observer.snapshot(WHOLE)).creditsUnit).toBe(unit);
  });

  it("reads the others when one vote account has another shape, and counts it", async () => {
    const getVoteAccounts = { current: [voteRow(1), voteRow(3, { activatedStake: "5" })], delinquent: [voteRow(2)] };
    const { observer } = await observe([{ getVoteAccounts }]);
    const entry = entryOf(await observer.snapshot({ ...WHOLE, expected: [key(3)] }));
    expect(entry.votes.map(({ vote }) => vote)).toEqual([key(1), key(2)].sort());
    expect(entry.unreadableRows).toBe(1);
  });

  it("is refused when no vote account can be read, with what is wrong", async () => {
    const getVoteAccounts = {
      current: [voteRow(1, { activatedStake: "5" })],
      delinquent: [voteRow(2, { lastVote: null })],
    };
    const { observer } = await observe([{ getVoteAccounts }]);
    expect(reasonOf(await observer.snapshot(WHOLE))).toMatch(/none of 2 rows is readable: .*activatedStake/);
  });
});

describe("an expected vote account that a list may lack", () => {
  const unstaked = voteRow(3, { activatedStake: 0, lastVote: 5 });
  const list = healthyNode()["getVoteAccounts"] as { current: object[]; delinquent: object[] };
  /** A node that gives the unstaked delinquent account 3 only when asked for such. */
  const hidesThree = ([options]: [{ keepUnstakedDelinquents?: boolean }]) => ({
    current: list.current,
    delinquent: [...list.delinquent, ...(options.keepUnstakedDelinquents ? [unstaked] : [])],
  });

  it("is in it when it only has no stake", async () => {
    const { observer } = await observe([{ getVoteAccounts: hidesThree }]);
    const entry = entryOf(await observer.snapshot({ ...WHOLE, expected: [key(1), key(3)] }));
    expect(entry.votes.find(({ vote }) => vote === key(3))).toMatchObject({
      delinquent: true,
      activeStake: 0n,
      identity: key(103),
    });
    expect(entry.votes.map(({ vote }) => vote)).toEqual([key(1), key(2), key(3)].sort());
    expect(entry).toMatchObject({ absent: [], slot: SLOT - 2 });
  });

  it("is absent when its account is gone", async () => {
    const { observer } = await observe([{ getVoteAccounts: hidesThree }]);
    const entry = entryOf(await observer.snapshot({ ...WHOLE, expected: [key(4), key(1)] }));
    expect(entry.absent).toEqual([key(4)]);
  });

  it("is neither when its account is there but has no row", async () => {
    const { observer } = await observe([
      { getMultipleAccounts: { context: { slot: SLOT }, value: [voteAccount(700)] } },
    ]);
    const entry = entryOf(await observer.snapshot({ ...WHOLE, expected: [key(4)] }));
    expect(entry.absent).toEqual([]);
    expect(entry.votes).toHaveLength(2);
  });

  it("is not called absent when the question fails", async () => {
    const { observer } = await observe([{ getMultipleAccounts: fails(-32_000, "oops") }]);
    expect(entryOf(await observer.snapshot({ ...WHOLE, expected: [key(4)] })).absent).toEqual([]);
  });

  it("is not called absent by an answer of an old slot", async () => {
    const answerOf = (slot: number) => ({ getMultipleAccounts: { context: { slot }, value: [null] } });
    const { observer: old } = await observe([answerOf(SLOT - 151)]);
    expect(entryOf(await old.snapshot({ ...WHOLE, expected: [key(4)] })).absent).toEqual([]);
    const { observer } = await observe([answerOf(SLOT - 150)]);
    expect(entryOf(await observer.snapshot({ ...WHOLE, expected: [key(4)] })).absent).toEqual([key(4)]);
  });
});

describe("a side source", () => {
  it.each([new RpcError({ kind: "network", message: "it is not there" }), new LocationError("it is not there")])(
    "that fails with %s costs its own section, and says why",
    async (error) => {
      await expect(toSection(() => Promise.reject(error))).resolves.toEqual({ state: "failed", reason: error.message });
    },
  );

  it("says why in no more than an entry keeps", async () => {
    const error = new RpcError({ kind: "body", message: "x".repeat(100_000) });
    const section = await toSection(() => Promise.reject(error));
    expect(section).toMatchObject({ state: "failed", reason: "x".repeat(RAW_TEXT_MAX) });
  });

  it("that fails by a bug of ours is no side source that fails", async () => {
    await expect(toSection(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
