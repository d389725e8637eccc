import { describe, expect, it } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import { snapshotEntrySchema, type SnapshotEntry } from "../../../generator/entries/entry.ts";
import {
  deriveDistributionAddress,
  PRIORITY_FEE_PROGRAMS,
  type DistributionProgram,
} from "../../../generator/observe/mev/distribution-accounts.ts";
import { openServer } from "../../rpc/open-server.ts";
import type { Methods } from "../../rpc/rpc-server.ts";
import { EPOCH, EPOCH_INFO, SLOT } from "../cluster.ts";
import { key } from "../fixtures.ts";
import { entryOf, failed, fails, observe, SMALL, snapshotOf } from "../observing.ts";
import { distributionAccount, TIP_PROGRAM } from "./distribution-account.ts";

const FEES = PRIORITY_FEE_PROGRAMS.mainnet!;
const CLOSED = { ...SMALL, closedMev: () => ({ epoch: EPOCH - 1, votes: [key(1), key(2)] }) };
const off = { state: "skipped", off: true };
const notDue = { state: "skipped", off: false };

type Held = [vote: number, epoch: number, bps: number, program?: DistributionProgram];

const holds = (...accounts: Held[]) => holdsAt(SLOT, ...accounts);

function holdsAt(slot: number, ...accounts: Held[]) {
  const byAddress = new Map(
    accounts.map(([number, epoch, basisPoints, program = TIP_PROGRAM]) => {
      const vote = key(number);
      const accountType = program === FEES ? "PriorityFeeDistributionAccount" : "TipDistributionAccount";
      const facts = { vote, basisPoints, owner: program.address, accountType, withRoot: epoch < EPOCH };
      return [deriveDistributionAddress({ program, vote, epoch }), distributionAccount(facts)];
    }),
  );
  const valuesOf = (keys: string[]) => keys.map((one) => byAddress.get(one) ?? null);
  return { getMultipleAccounts: ([keys]: [string[]]) => ({ context: { slot }, value: valuesOf(keys) }) };
}

/** Answers a closed epoch with other records, unless the body is dropped. */
async function startVendor({ fails = false, dropsBody = false } = {}): Promise<string> {
  const server = await openServer(({ body }, response) => {
    if (fails) return void response.writeHead(500).end('{"validators":[]}');
    const stake = body?.epoch === undefined || dropsBody ? 2 : 1;
    const row = { vote_account: key(1), mev_commission_bps: 800, running_jito: true, active_stake: stake };
    response.end(JSON.stringify({ validators: [row] }));
  });
  return server.url;
}

async function look(nodes: Methods[], options: { mevUrl?: string | null; network?: Network } = {}, request = SMALL) {
  const entry = await snapshotOf(nodes, request, options);
  expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
  return entry;
}

describe("what a snapshot says of MEV", () => {
  it("is the chain's word when the vendor fails, and why it fails", async () => {
    const node = holds([1, EPOCH, 800], [2, EPOCH - 1, 500]);
    const entry = await look([node], { mevUrl: await startVendor({ fails: true }) });
    expect(entry.mev).toMatchObject(failed("HTTP status 500"));
    const rows = [
      { vote: key(1), epoch: EPOCH, mevBasisPoints: 800, priorityFeeBasisPoints: 10_000 },
      { vote: key(2), epoch: EPOCH - 1, mevBasisPoints: 500, priorityFeeBasisPoints: 10_000 },
    ];
    expect(entry.tips).toEqual({ state: "ok", value: { rows: rows.sort((a, b) => (a.vote < b.vote ? -1 : 1)) } });
  });

  it("is the chain's word in time, however long the vendor asks to be left alone", async () => {
    const server = await openServer((_, response) => void response.writeHead(503, { "retry-after": "30" }).end());
    const { observer, clock } = await observe([holds([1, EPOCH, 800])], { mevUrl: server.url });
    const begun = clock.now();
    const { mev, tips } = entryOf(await observer.snapshot(SMALL));
    expect([mev.state, tips.state]).toEqual(["failed", "ok"]);
    expect(clock.now() - begun).toBeLessThan(30_000);
    expect(server.asked).toHaveLength(1);
  });

  it("is of the newest account of each validator", async () => {
    const node = holds([1, EPOCH - 1, 500], [1, EPOCH, 800], [1, EPOCH - 2, 300], [2, EPOCH - 2, 300]);
    const { tips } = await look([node]);
    expect(tips).toMatchObject({ value: { rows: [{ vote: key(1), epoch: EPOCH, mevBasisPoints: 800 }] } });
  });

  const ok = { state: "ok" };
  it.each<[string, boolean, object, object]>([
    ["the vendor's alone if it answers", true, SMALL, { mev: ok, tips: notDue, closedMev: notDue, closedTips: notDue }],
    ["the chain's alone if it is not asked", false, CLOSED, { mev: off, closedMev: off, tips: ok, closedTips: ok }],
  ])("is the word that is %s", async (_, isVendorAsked, request, sections) => {
    const mevUrl = isVendorAsked ? await startVendor() : null;
    expect(await look([holds([1, EPOCH, 500])], { mevUrl }, { ...SMALL, ...request })).toMatchObject(sections);
  });

  it("is nothing, without an error, on a network without the program", async () => {
    const entry = await look([{}], { network: "alpenglow" }, CLOSED);
    expect(entry).toMatchObject({ mev: off, tips: off, closedMev: off, closedTips: off });
  });

  it("is nothing by a node that has no tip account at all", async () => {
    expect((await look([holds([1, EPOCH - 2, 500])])).tips).toMatchObject(failed("no tip account"));
  });

  it("comes from another endpoint when the first one fails", async () => {
    const nodes = [{ getMultipleAccounts: fails(-32_000, "oops") }, holds([1, EPOCH, 500])];
    expect((await look(nodes)).tips.state).toBe("ok");
  });
});

describe("the share of the priority fees", () => {
  it("is that of its newest account, and all of it without one", async () => {
    const node = holds([1, EPOCH, 800], [1, EPOCH - 1, 5000, FEES], [2, EPOCH, 800]);
    const { tips } = await look([node]);
    const shares = tips.state === "ok" ? tips.value.rows.map((row) => [row.vote, row.priorityFeeBasisPoints]) : [];
    expect(Object.fromEntries(shares)).toEqual({ [key(1)]: 5000, [key(2)]: 10_000 });
  });

  const ofFees = { vote: key(1), owner: FEES.address, accountType: "PriorityFeeDistributionAccount" };
  const cut = distributionAccount({ ...ofFees, basisPoints: 5000, withRoot: true, bytes: 146 });
  it.each<[string, () => object]>([
    ["cannot be read", fails(-32_000, "oops")],
    ["are cut", () => ({ context: { slot: SLOT }, value: [cut] })],
  ])("is not known, and the tips are, when its accounts %s", async (_, answerFee) => {
    const { getMultipleAccounts } = holds([1, EPOCH, 800]);
    const fee = deriveDistributionAddress({ program: FEES, vote: key(1), epoch: EPOCH });
    const answer = (params: [string[]]) => (params[0].includes(fee) ? answerFee() : getMultipleAccounts(params));
    const { tips } = await look([{ getMultipleAccounts: answer }]);
    expect(tips).toMatchObject({ value: { rows: [{ mevBasisPoints: 800, priorityFeeBasisPoints: null }] } });
  });
});

function answersOf({ closedTips }: SnapshotEntry) {
  return closedTips.state === "ok" && "answers" in closedTips.value ? closedTips.value.answers : null;
}

describe("what a snapshot says of a closed epoch", () => {
  const votes = [key(1), key(2)];
  const node = holds([1, EPOCH - 1, 700]);

  it("is told by the vendor and, of those asked for, by the chain", async () => {
    const entry = await look([node], { mevUrl: await startVendor() }, CLOSED);
    expect(entry.closedMev).toMatchObject({ state: "ok", value: { epoch: EPOCH - 1, rows: [{ vote: key(1) }] } });
    expect(entry.closedTips).toMatchObject({ state: "ok", value: { epoch: EPOCH - 1, votes } });
    expect(answersOf(entry)).toMatchObject([{ state: "ok", slot: SLOT, shares: [[700], null] }]);
  });

  it("is told by every witness, each for itself, and by those that can be asked", async () => {
    const other = holds([1, EPOCH - 1, 700], [2, EPOCH - 1, 900]);
    const silent: Methods = { getMultipleAccounts: fails(-32_000, "oops") };
    const entry = await look([node, other, silent], {}, CLOSED);
    const told = [{ shares: [[700], null] }, { shares: [[700], [900]] }, failed("oops")];
    expect(answersOf(entry)).toMatchObject(told);
  });

  it.each([
    ["has not heard which epoch it was asked for", { dropsBody: true }, "looks like the latest one"],
    ["fails", { fails: true }, "HTTP status 500"],
  ])("is the chain's word alone when the vendor %s", async (_, vendor, why) => {
    const entry = await look([node], { mevUrl: await startVendor(vendor) }, CLOSED);
    expect(entry).toMatchObject({ closedMev: failed(why), closedTips: { state: "ok" } });
  });

  it("is not what a node says that has not seen the end of that epoch", async () => {
    const firstSlot = SLOT - EPOCH_INFO.slotIndex;
    const lookAt = async (slot: number) => (await look([holdsAt(slot, [1, EPOCH - 1, 700])], {}, CLOSED)).closedTips;
    expect((await lookAt(firstSlot)).state).toBe("ok");
    expect(await lookAt(firstSlot - 1)).toMatchObject(failed("is not after"));
  });

  it("is not asked of the chain when there is nobody to ask for", async () => {
    const nobody = { ...SMALL, closedMev: () => ({ epoch: EPOCH - 1, votes: [] }) };
    expect((await look([node], {}, nobody)).closedTips).toEqual(notDue);
  });
});
