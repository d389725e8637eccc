import { describe, expect, it } from "vitest";
import { toSwept } from "../../generator/documents/status.ts";
import { NOT_RECORDED, setU16 } from "../../generator/ledger/columns.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import type { AccountChange } from "../../generator/ledger/records.ts";
import {
  documentOf,
  EPOCH,
  ledgerOf,
  MOMENT,
  recordCommissions,
  signatureOf,
  transactionOf,
  voteOf,
  type EventFacts,
} from "./fixtures.ts";
import { readFeeds } from "./read-feeds.ts";

/* What the documents tell of what transactions prove. */

const one = { votePubkey: voteOf("one") };
const validators = [{ name: "one" }];

function prove(ledger: Ledger, points: Record<number, number>) {
  for (const [epoch, basisPoints] of Object.entries(points))
    setU16(ledger.proved, Number(epoch), 0, basisPoints, NOT_RECORDED);
}

describe("an event", () => {
  it("shows its transaction with every step in percent, none above what the runtime takes", () => {
    const steps = [10_000, 65_535, 0].map((basisPoints, index) => ({
      signature: signatureOf(`step ${index}`),
      slot: MOMENT.slot - 9 + index,
      basisPoints,
    }));
    const transaction = transactionOf(0, { steps, blockTime: null, verified: "witnesses" });
    const ledger = ledgerOf({ validators, events: [{ of: "one", to: 0, transaction }] });
    expect(documentOf(ledger, "events", {})?.data[0]?.transaction).toEqual({
      ...transaction,
      steps: steps.map(({ signature, slot }, index) => ({ signature, slot, commission: [100, 100, 0][index] })),
    });
  });
});

describe("an event whose steps are events of their own", () => {
  const replaced: EventFacts = { id: "seen", of: "one", replacedBy: "up again", supersededBy: "up again" };
  const steps: EventFacts[] = [
    { id: "up", of: "one", epoch: EPOCH - 1, slot: MOMENT.slot - 7, isSwept: true },
    {
      id: "down",
      of: "one",
      epoch: EPOCH,
      slot: MOMENT.slot - 6,
      isSwept: true,
      from: 10_000,
      to: 0,
      severity: "INFO",
    },
    { id: "up again", of: "one", epoch: EPOCH, slot: MOMENT.slot - 5, isSwept: true, from: 0 },
  ];
  const ledger = ledgerOf({ validators, events: [replaced, ...steps] });

  it("is in the lists of events and says by which it is replaced", () => {
    for (const document of [documentOf(ledger, "events", {}), documentOf(ledger, "validatorEvents", one)]) {
      expect(document?.data.map(({ id, replacedBy }) => [id, replacedBy])).toEqual([
        ["seen", "up again"],
        ["up again", null],
        ["down", null],
        ["up", null],
      ]);
    }
  });

  it("is no RUG of its epoch, and counts in no statistics: its steps do", () => {
    expect(documentOf(ledger, "epochEvents", { epoch: EPOCH })?.data.map(({ id }) => id)).toEqual(["up again"]);
    const { data, meta } = documentOf(ledger, "rugsPerEpoch", {})!;
    expect(data.map(({ epoch, totalEvents }) => [epoch, totalEvents])).toEqual([
      [EPOCH - 1, 1],
      [EPOCH, 1],
    ]);
    expect(meta.global).toMatchObject({ commissionEvents: 2, totalRuggedValidators: 1, repeatOffenders: 1 });
  });

  it("is in no feed: its steps are", () => {
    const idsOf = (feed: "events" | "rug") => readFeeds(ledger, feed).fromAtom.map(({ id }) => id?.split(":").at(-1));
    expect(idsOf("rug")).toEqual(["up again", "up"]);
    expect(idsOf("events")).toEqual(["up again", "down", "up"]);
  });
});

describe("the commission that a transaction left at the end of an epoch", () => {
  const epochs = [1096, 1097, 1098, 1099, 1100];

  it("stands above what was observed and above what a public history says", () => {
    const ledger = ledgerOf({ validators, epochs });
    recordCommissions(ledger, "one", { 1097: { inflation: 500, mev: 800 }, 1099: { inflation: 700 } });
    setU16(ledger.history.inflation, 1096, 0, 300, NOT_RECORDED);
    setU16(ledger.history.inflation, 1098, 0, 400, NOT_RECORDED);
    prove(ledger, { 1097: 10_000, 1098: 0 });
    expect(pointsOf(ledger)).toEqual([
      [1096, 3, null],
      [1097, 100, null],
      [1098, 0, 3],
      [1099, 7, 100],
      [1100, 7, 0],
    ]);
    expect(documentOf(ledger, "validator", one)?.data.appliedCommission).toBe(0);
    expect(exportedOf(ledger, 1099)).toEqual(["7", "8", "100"]);
    expect(exportedOf(ledger, 1098)).toEqual(["0", "8", "3"]);
  });

  it("is a point of an epoch that nobody observed", () => {
    const ledger = ledgerOf({ validators, epochs });
    recordCommissions(ledger, "one", { 1099: { inflation: 700 } });
    prove(ledger, { 1097: 500 });
    expect(pointsOf(ledger).map(([epoch, announced]) => [epoch, announced])).toEqual([
      [1097, 5],
      [1098, 5],
      [1099, 7],
      [1100, 7],
    ]);
  });

  it("settles what was paid where a window spans the end of the epoch", () => {
    const events = [{ of: "one", epoch: 1099, madeIn: { earliest: 1098, latest: 1099 } }];
    const ledger = ledgerOf({ validators, epochs, events });
    recordCommissions(ledger, "one", {
      1097: { inflation: 500 },
      1098: { inflation: 500 },
      1099: { inflation: 10_000 },
    });
    const paidIn1100 = () => [
      documentOf(ledger, "validator", one)?.data.appliedCommission,
      pointsOf(ledger).at(-1)?.[2],
    ];
    expect(paidIn1100()).toEqual([null, null]);
    prove(ledger, { 1098: 10_000 });
    expect(paidIn1100()).toEqual([100, 100]);
  });
});

describe("a profile", () => {
  const change = (index: number, facts: Partial<AccountChange>): AccountChange => ({
    of: "withdrawAuthority",
    to: voteOf(`authority ${index}`),
    signature: signatureOf(`change ${index}`),
    slot: MOMENT.slot + index,
    epoch: EPOCH,
    blockTime: MOMENT.time,
    signer: voteOf("authority"),
    verified: "signature",
    ...facts,
  });
  const profileOf = (accountChanges: AccountChange[]) =>
    documentOf(ledgerOf({ validators: [{ name: "one", accountChanges }] }), "validator", one)?.data;

  it("names the newest withdraw authority, and none where none is known", () => {
    const authorities = ["old", "new"].map((name, index) => ({
      key: voteOf(name),
      from: index,
      to: index,
      covered: [],
    }));
    const ledger = ledgerOf({ validators: [{ name: "one", authorities }, { name: "two" }] });
    expect(documentOf(ledger, "validator", one)?.data.withdrawAuthority).toBe(voteOf("new"));
    const two = documentOf(ledger, "validator", { votePubkey: voteOf("two") })?.data;
    expect(two).toMatchObject({ withdrawAuthority: null, commissionCollector: null, blockRevenueCommission: null });
    expect(two?.accountChanges).toEqual([]);
  });

  it("tells what transactions set last, and each change with its proof, newest first", () => {
    const changes = [
      change(1, { of: "blockRevenueCommission", to: 2_500 }),
      change(2, { of: "inflationCollector", to: voteOf("collector"), blockTime: null, verified: "witnesses" }),
      change(3, { of: "blockRevenueCollector", to: voteOf("other collector") }),
      change(4, { of: "blockRevenueCommission", to: 60_000 }),
    ];
    const profile = profileOf(changes);
    expect(profile).toMatchObject({ blockRevenueCommission: 100, commissionCollector: voteOf("collector") });
    expect(profile?.accountChanges.map(({ of, toKey, toCommission }) => [of, toKey, toCommission])).toEqual([
      ["blockRevenueCommission", null, 100],
      ["blockRevenueCollector", voteOf("other collector"), null],
      ["inflationCollector", voteOf("collector"), null],
      ["blockRevenueCommission", null, 25],
    ]);
    expect(profile?.accountChanges[2]).toEqual({
      of: "inflationCollector",
      toKey: voteOf("collector"),
      toCommission: null,
      slot: MOMENT.slot + 2,
      epoch: EPOCH,
      blockTime: null,
      signature: signatureOf("change 2"),
      signer: voteOf("authority"),
      verified: "witnesses",
    });
  });

  it("shows the newest fifty of many changes", () => {
    const changes = Array.from({ length: 60 }, (_, index) => change(index, {}));
    expect(profileOf(changes)?.accountChanges.map(({ toKey }) => toKey)).toEqual(
      changes
        .map(({ to }) => to)
        .reverse()
        .slice(0, 50),
    );
  });
});

describe("the status", () => {
  it("names the first hundred authorities that sign too much, and counts them all", () => {
    const busy = Array.from({ length: 130 }, (_, index) => ({ authority: voteOf(`${index}`), votes: [voteOf("one")] }));
    const sweep = { validators: 900, covered: 700, upToSlot: 5, busy, refused: 3, contradictions: 1 };
    const swept = toSwept(sweep);
    expect(swept).toMatchObject({ ...sweep, busy: expect.any(Array) as unknown, busyTotal: 130 });
    expect(swept.busy).toHaveLength(100);
    expect(swept.busy[99]).toEqual({ authority: voteOf("99"), votePubkeys: [voteOf("one")] });
  });
});

/** Epoch, announced and applied commission. */
function pointsOf(ledger: Ledger) {
  const { data } = documentOf(ledger, "commissionHistory", one)!;
  return data.map(({ epoch, commission, appliedCommission }) => [epoch, commission, appliedCommission] as const);
}

/** Announced, MEV and applied commission of the one row of an export. */
function exportedOf(ledger: Ledger, epoch: number) {
  const csv = documentOf(ledger, "historyCsv", { epoch }) as string;
  return csv.split("\r\n")[1]?.split(",").slice(-3);
}
