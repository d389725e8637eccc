import { describe, expect, it } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { snapshotEntrySchema, type SnapshotEntry } from "../../../generator/entries/entry.ts";
import {
  deriveDistributionAddress,
  PRIORITY_FEE_PROGRAMS,
  type DistributionProgram,
} from "../../../generator/observe/mev/distribution-accounts.ts";
import type { SnapshotRequest } from "../../../generator/observe/snapshot.ts";
import { EPOCH, EPOCH_INFO, SLOT } from "../cluster.ts";
import { distributionAccount, TIP_PROGRAM } from "./distribution-account.ts";
import { key } from "../fixtures.ts";
import { entryOf, fails, observe, servers } from "../observing.ts";
import { startServer, type Methods } from "../../rpc/rpc-server.ts";

const FEES = PRIORITY_FEE_PROGRAMS.mainnet!;
const REQUEST: SnapshotRequest = { expected: [], scanStakeAccounts: () => false, closedMev: () => null };
const CLOSED = { ...REQUEST, closedMev: () => ({ epoch: EPOCH - 1, votes: [key(1), key(2)] }) };
const off = { state: "skipped", off: true };
const notDue = { state: "skipped", off: false };

type Held = [vote: number, epoch: number, bps: number, program?: DistributionProgram];

/** A node with these distribution accounts, at a slot. */
function holds(accounts: Held[], slot = SLOT): Methods {
  const byAddress = new Map(
    accounts.map(([vote, epoch, basisPoints, program = TIP_PROGRAM]) => [
      deriveDistributionAddress({ program, vote: key(vote), epoch }),
      distributionAccount({
        vote: key(vote),
        basisPoints,
        owner: program.address,
        accountType: program === FEES ? "PriorityFeeDistributionAccount" : "TipDistributionAccount",
        withRoot: epoch < EPOCH,
      }),
    ]),
  );
  const getMultipleAccounts = ([keys]: [string[]]) => ({
    context: { slot },
    value: keys.map((one) => byAddress.get(one) ?? null),
  });
  return { getMultipleAccounts };
}

/** The vendor's API; a closed epoch is answered with the records of another one, unless the body is dropped. */
async function startVendor({ fails = false, dropsBody = false } = {}): Promise<string> {
  const server = await startServer(({ body }, response) => {
    if (fails) return void response.writeHead(500).end('{"validators":[]}');
    const stake = body?.epoch === undefined || dropsBody ? 2 : 1;
    const row = { vote_account: key(1), mev_commission_bps: 800, running_jito: true, active_stake: stake };
    response.end(JSON.stringify({ validators: [row] }));
  });
  servers.push(server);
  return server.url;
}

async function look(nodes: Methods[], options: { mevUrl: string | null; network?: Network }, request = REQUEST) {
  const { observer } = await observe(nodes, options);
  const entry = entryOf(await observer.snapshot(request));
  expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
  return entry;
}

describe("what a snapshot says of MEV", () => {
  it("is the chain's word when the vendor fails, and why it fails", async () => {
    const node = holds([
      [1, EPOCH, 800],
      [2, EPOCH - 1, 500],
    ]);
    const entry = await look([node], { mevUrl: await startVendor({ fails: true }) });
    expect(entry.mev).toMatchObject({ state: "failed", reason: expect.stringContaining("HTTP status 500") as string });
    const rows = [
      { vote: key(1), epoch: EPOCH, mevBasisPoints: 800, priorityFeeBasisPoints: 10_000 },
      { vote: key(2), epoch: EPOCH - 1, mevBasisPoints: 500, priorityFeeBasisPoints: 10_000 },
    ];
    expect(entry.tips).toEqual({ state: "ok", value: { rows: rows.sort((a, b) => (a.vote < b.vote ? -1 : 1)) } });
  });

  it("is the chain's word in time, however long the vendor asks to be left alone", async () => {
    const server = await startServer((_, response) => void response.writeHead(503, { "retry-after": "30" }).end());
    servers.push(server);
    const { observer, clock } = await observe([holds([[1, EPOCH, 800]])], { mevUrl: server.url });
    const begun = clock.now();
    const { mev, tips } = entryOf(await observer.snapshot(REQUEST));
    expect([mev.state, tips.state]).toEqual(["failed", "ok"]);
    expect(clock.now() - begun).toBeLessThan(30_000);
    expect(server.asked).toHaveLength(1);
  });

  it("is of the newest account of each validator", async () => {
    const node = holds([
      [1, EPOCH - 1, 500],
      [1, EPOCH, 800],
      [1, EPOCH - 2, 300],
      [2, EPOCH - 2, 300],
    ]);
    const { tips } = await look([node], { mevUrl: null });
    expect(tips).toMatchObject({ value: { rows: [{ vote: key(1), epoch: EPOCH, mevBasisPoints: 800 }] } });
    expect(tips.state === "ok" && tips.value.rows).toHaveLength(1);
  });

  it("is the vendor's word alone when the vendor answers", async () => {
    const entry = await look([holds([[1, EPOCH, 500]])], { mevUrl: await startVendor() });
    expect(entry).toMatchObject({ mev: { state: "ok" }, tips: notDue, closedMev: notDue, closedTips: notDue });
  });

  it("is the chain's word alone where no vendor is to be asked", async () => {
    const entry = await look([holds([[1, EPOCH, 500]])], { mevUrl: null }, CLOSED);
    expect(entry).toMatchObject({ mev: off, closedMev: off, tips: { state: "ok" }, closedTips: { state: "ok" } });
  });

  it("is nothing, without an error, on a network without the program", async () => {
    const entry = await look([{}], { mevUrl: null, network: "alpenglow" }, CLOSED);
    expect(entry).toMatchObject({ mev: off, tips: off, closedMev: off, closedTips: off });
  });

  it("is nothing by a node that has no tip account at all", async () => {
    const { tips } = await look([holds([[1, EPOCH - 2, 500]])], { mevUrl: null });
    expect(tips).toMatchObject({ state: "failed", reason: expect.stringContaining("no tip account") as string });
  });

  it("comes from another endpoint when the first one fails", async () => {
    const nodes = [{ getMultipleAccounts: fails(-32_000, "oops") }, holds([[1, EPOCH, 500]])];
    expect((await look(nodes, { mevUrl: null })).tips.state).toBe("ok");
  });
});

describe("the share of the priority fees", () => {
  it("is that of its newest account, and all of it without one", async () => {
    const node = holds([
      [1, EPOCH, 800],
      [1, EPOCH - 1, 5000, FEES],
      [2, EPOCH, 800],
    ]);
    const { tips } = await look([node], { mevUrl: null });
    const shares = tips.state === "ok" ? tips.value.rows.map((row) => [row.vote, row.priorityFeeBasisPoints]) : [];
    expect(new Map(shares as [string, number][])).toEqual(
      new Map([
        [key(1), 5000],
        [key(2), 10_000],
      ]),
    );
  });

  it("is not known, and the tips are, when its accounts cannot be read", async () => {
    const { getMultipleAccounts } = holds([[1, EPOCH, 800]]) as {
      getMultipleAccounts: (params: [string[]]) => unknown;
    };
    const fee = deriveDistributionAddress({ program: FEES, vote: key(1), epoch: EPOCH });
    const node: Methods = {
      getMultipleAccounts: (params: [string[]]) =>
        params[0].includes(fee) ? fails(-32_000, "oops")() : getMultipleAccounts(params),
    };
    const { tips } = await look([node], { mevUrl: null });
    expect(tips).toMatchObject({ value: { rows: [{ mevBasisPoints: 800, priorityFeeBasisPoints: null }] } });
  });
});

function answersOf({ closedTips }: SnapshotEntry) {
  return closedTips.state === "ok" && "answers" in closedTips.value ? closedTips.value.answers : null;
}

describe("what a snapshot says of a closed epoch", () => {
  const votes = [key(1), key(2)];
  const node = holds([[1, EPOCH - 1, 700]]);

  it("is told by the vendor and, of those asked for, by the chain", async () => {
    const entry = await look([node], { mevUrl: await startVendor() }, CLOSED);
    expect(entry.closedMev).toMatchObject({ state: "ok", value: { epoch: EPOCH - 1, rows: [{ vote: key(1) }] } });
    expect(entry.closedTips).toMatchObject({ state: "ok", value: { epoch: EPOCH - 1, votes } });
    expect(answersOf(entry)).toMatchObject([{ state: "ok", slot: SLOT, shares: [[700], null] }]);
  });

  it("is told by every witness, each for itself, and by those that can be asked", async () => {
    const other = holds([
      [1, EPOCH - 1, 700],
      [2, EPOCH - 1, 900],
    ]);
    const silent: Methods = { getMultipleAccounts: fails(-32_000, "oops") };
    const entry = await look([node, other, silent], { mevUrl: null }, CLOSED);
    expect(answersOf(entry)).toMatchObject([
      { state: "ok", shares: [[700], null] },
      { state: "ok", shares: [[700], [900]] },
      { state: "failed", reason: expect.stringContaining("oops") as string },
    ]);
  });

  it("is not what the vendor says when it has not heard which epoch it was asked for", async () => {
    const entry = await look([node], { mevUrl: await startVendor({ dropsBody: true }) }, CLOSED);
    expect(entry.mev.state).toBe("ok");
    expect(entry.closedMev).toMatchObject({
      state: "failed",
      reason: "the list of the closed epoch cannot be told from the latest one",
    });
  });

  it("is the chain's word when the vendor fails", async () => {
    const entry = await look([node], { mevUrl: await startVendor({ fails: true }) }, CLOSED);
    expect(entry).toMatchObject({ closedMev: { state: "failed" }, closedTips: { state: "ok" } });
  });

  it("is not what a node says that has not seen the end of that epoch", async () => {
    const firstSlot = SLOT - EPOCH_INFO.slotIndex;
    const late = await look([holds([[1, EPOCH - 1, 700]], firstSlot)], { mevUrl: null }, CLOSED);
    expect(late.closedTips.state).toBe("ok");
    const early = await look([holds([[1, EPOCH - 1, 700]], firstSlot - 1)], { mevUrl: null }, CLOSED);
    expect(early.closedTips).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("is not after") as string,
    });
  });

  it("is not asked of the chain when there is nobody to ask for", async () => {
    const nobody = { ...REQUEST, closedMev: () => ({ epoch: EPOCH - 1, votes: [] }) };
    expect((await look([node], { mevUrl: null }, nobody)).closedTips).toEqual(notDue);
  });
});
