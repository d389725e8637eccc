import { describe, expect, it } from "vitest";
import type { Network } from "../../../generator/contract/networks.ts";
import {
  snapshotEntrySchema,
  type SnapshotEntry,
  type Tip,
} from "../../../generator/entries/entry.ts";
import { deriveDistributionAddress } from "../../../generator/observe/mev/distribution-accounts.ts";
import {
  PRIORITY_FEE_PROGRAMS,
  type DistributionProgram,
} from "../../../generator/observe/mev/tip-programs.ts";
import { openServer } from "../../rpc/open-server.ts";
import type { Methods } from "../../rpc/rpc-server.ts";
import { EPOCH, SLOT } from "../cluster.ts";
import { key } from "../fixtures.ts";
import { asking, entryOf, failed, fails, observe, SMALL, snapshotOf } from "../observing.ts";
import { distributionAccount, TIP_PROGRAM } from "./distribution-account.ts";

const FEES = PRIORITY_FEE_PROGRAMS.mainnet!;
const off = { state: "skipped", off: true };
const notDue = { state: "skipped", off: false };

type DistributionRow = [vote: number, epoch: number, bps: number, program?: DistributionProgram];

const holds = (...accounts: DistributionRow[]) => holdsAt(SLOT, ...accounts);

function holdsAt(slot: number, ...accounts: DistributionRow[]) {
  const byAddress = new Map(
    accounts.map(([number, epoch, basisPoints, program = TIP_PROGRAM]) => {
      const vote = key(number);
      const accountType =
        program === FEES ? "PriorityFeeDistributionAccount" : "TipDistributionAccount";
      const facts = {
        vote,
        basisPoints,
        owner: program.address,
        accountType,
        withRoot: epoch < EPOCH,
      };
      return [deriveDistributionAddress({ program, vote, epoch }), distributionAccount(facts)];
    }),
  );
  const valuesOf = (keys: string[]) => keys.map((one) => byAddress.get(one) ?? null);
  return {
    getMultipleAccounts: ([keys]: [string[]]) => ({ context: { slot }, value: valuesOf(keys) }),
  };
}

async function startVendor({ fails = false } = {}): Promise<string> {
  const server = await openServer((_, response) => {
    if (fails) return void response.writeHead(500).end('{"validators":[]}');
    const row = { vote_account: key(1), mev_commission_bps: 800, running_jito: true };
    response.end(JSON.stringify({ validators: [row] }));
  });
  return server.url;
}

async function look(
  nodes: Methods[],
  options: { mevUrl?: string | null; network?: Network } = {},
  request = SMALL,
) {
  const entry = await snapshotOf(nodes, request, options);
  expect(snapshotEntrySchema.parse(entry)).toEqual(entry);
  return entry;
}

const tipOf = (vote: number, epoch: number): Tip => ({ vote: key(vote), epoch });
const TIPS = asking({ tips: [tipOf(1, EPOCH), tipOf(2, EPOCH)], controls: [tipOf(1, EPOCH - 1)] });
const FEES_OF = asking({ priorityFees: [key(1), key(2)] });

function answersOf({ tips }: SnapshotEntry) {
  return tips.state === "ok" ? tips.value.answers : null;
}

describe("what a snapshot says of MEV", () => {
  const node = holds([1, EPOCH, 800], [1, EPOCH - 1, 700]);

  it("is the share in each tip account that was asked for, and in the controls after them", async () => {
    const entry = await look([node], {}, TIPS);
    const { tips, controls } = TIPS.sides(EPOCH, []);
    expect(entry.tips).toMatchObject({ state: "ok", value: { tips, controls } });
    expect(answersOf(entry)).toMatchObject([
      { state: "ok", slot: SLOT, shares: [[800], null, [700]] },
    ]);
  });

  it("is read from every witness, each for itself, and by those that can be asked", async () => {
    const other = holds([1, EPOCH, 800], [2, EPOCH, 900]);
    const silent: Methods = { getMultipleAccounts: fails(-32_000, "oops") };
    const expected = [
      { shares: [[800], null, [700]] },
      { shares: [[800], [900], null] },
      failed("oops"),
    ];
    expect(answersOf(await look([node, other, silent], {}, TIPS))).toMatchObject(expected);
  });

  it("is nothing by a witness whose answer is of over 150 slots before the slot that it answered", async () => {
    const stateAt = async (slot: number) =>
      (await look([node, holdsAt(slot, [1, EPOCH, 800])], {}, TIPS)).tips;
    const stateOf = (tips: SnapshotEntry["tips"]) =>
      tips.state === "ok" ? tips.value.answers[1]?.state : null;
    expect(stateOf(await stateAt(SLOT - 150))).toBe("ok");
    expect(stateOf(await stateAt(SLOT - 151))).toBe("failed");
  });

  it("has failed when no witness answers", async () => {
    const entry = await look([{ getMultipleAccounts: fails(-32_000, "oops") }], {}, TIPS);
    expect(entry.tips).toMatchObject(failed("oops"));
  });

  it("is not asked of the chain when nothing is to be known", async () => {
    expect(await look([node])).toMatchObject({
      tips: notDue,
      tipAmounts: notDue,
      priorityFees: notDue,
    });
  });

  it("is nothing, without an error, on a network without the program", async () => {
    const entry = await look([{}], { network: "alpenglow" }, TIPS);
    expect(entry).toMatchObject({ mev: off, tips: off, tipAmounts: off, priorityFees: off });
  });

  const ok = { state: "ok" };
  it.each<[string, boolean, object]>([
    ["by the vendor, if it answers, and the shares by the chain", true, { mev: ok, tips: ok }],
    ["by the chain alone, if it is not asked", false, { mev: off, tips: ok }],
  ])("is read %s", async (_, isVendorAsked, sections) => {
    expect(
      await look([node], { mevUrl: isVendorAsked ? await startVendor() : null }, TIPS),
    ).toMatchObject(sections);
  });
});

describe("the share of the priority fees", () => {
  const node = holds([1, EPOCH - 1, 5000, FEES], [1, EPOCH - 2, 100, FEES]);
  const rows = [
    [key(1), 5000],
    [key(2), 10_000],
  ];

  it("is that of its newest account, and all of it without one", async () => {
    expect((await look([node], {}, FEES_OF)).priorityFees).toEqual({
      state: "ok",
      value: { rows },
    });
  });

  it("is read when the vendor fails, who says why, and not when it answers", async () => {
    const entry = await look([node], { mevUrl: await startVendor({ fails: true }) }, FEES_OF);
    expect(entry).toMatchObject({
      mev: failed("HTTP status 500"),
      priorityFees: { value: { rows } },
    });
    expect((await look([node], { mevUrl: await startVendor() }, FEES_OF)).priorityFees).toEqual(
      notDue,
    );
  });

  it("is read in time, however long the vendor asks to be left alone", async () => {
    const server = await openServer(
      (_, response) => void response.writeHead(503, { "retry-after": "30" }).end(),
    );
    const { observer, clock } = await observe([node], { mevUrl: server.url });
    const begun = clock.now();
    const { mev, priorityFees } = entryOf(await observer.snapshot(FEES_OF));
    expect([mev.state, priorityFees.state]).toEqual(["failed", "ok"]);
    expect(clock.now() - begun).toBeLessThan(30_000);
    expect(server.asked).toHaveLength(1);
  });

  it("is not known when its account is cut", async () => {
    const facts = {
      vote: key(1),
      owner: FEES.address,
      accountType: "PriorityFeeDistributionAccount",
    };
    const cut = distributionAccount({ ...facts, basisPoints: 5000, withRoot: true, bytes: 146 });
    const answer = { context: { slot: SLOT }, value: [cut, null] };
    const isPair = ([keys]: [string[]]) =>
      keys.length === 2 ? answer : { context: { slot: SLOT }, value: keys.map(() => null) };
    const entry = await look([{ getMultipleAccounts: isPair }], {}, FEES_OF);
    expect(entry.priorityFees).toMatchObject({
      value: {
        rows: [
          [key(1), null],
          [key(2), 10_000],
        ],
      },
    });
  });

  it("comes from another endpoint when the first one fails", async () => {
    const nodes = [{ getMultipleAccounts: fails(-32_000, "oops") }, node];
    expect((await look(nodes, {}, FEES_OF)).priorityFees.state).toBe("ok");
  });
});
