import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { updateCommissionBasisPoints } from "../cluster/transactions/programs.ts";
import { deriveKeypair } from "../integration/validator/keys.ts";
import { epochAt, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { provedEventsIn, provedEventsOf, validatorOf } from "../story/outcome.ts";
import { checkByLists, panelCheck, panelSnapshot } from "../story/panels.ts";
import {
  A,
  AUTHORITY,
  execute,
  changed,
  setsA,
  steady,
  transactions,
  search,
  searchFrom,
  unplaced,
  type Executed,
  type Found,
  type Lie,
} from "../story/transactions.ts";
import { withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";
import type { Version } from "../cluster/transactions/message-layout.ts";
import { isCovered } from "../../generator/ledger/proof/coverage.ts";
import { searchesForEvents } from "../../generator/views/searches-due.ts";

const authority = AUTHORITY.address;
const toAll = updateCommissionBasisPoints(A, authority, 10_000);

describe("given an observed change and transactions, then these events", () => {
  const rug = setsA(9.5, [10_000]);
  const setsRug = (version: Version) => execute(rug.slot, [toAll], [AUTHORITY], version);
  const toRug = [...steady(0, 0, 500), ...changed(10, 10_000)];
  const to900 = [...steady(0, 0, 500), ...changed(10, 900)];
  const to700 = setsA(120.5, [700]);
  const flipped = [setsA(118, [10_000]), setsA(119, [500])];
  const steps = [setsA(119, [10_000]), to700];
  const untold = (minute: number) => [900, 10_000].map((to) => unplaced(setsA(minute, [to])));
  const searchAt10 = (after: number, upTo = 10.05, ...found: Found[]) =>
    transactions(10.1, 3, { after, upTo, found });
  const proved900 = (slot: number) => [`500→900 in 0: signature at ${slot}`];
  const LAST = "500→700 in 1: signature at 36150";
  const UNPROVED = ["500→700 in 1: unproved"];
  const PROVED = ["500→10000 in 0: signature at 2850"];
  /** To 7 % in the epoch after the last reading of 5 %. */
  const overBoundary = [...steady(0, 110, 500), ...changed(121, 700)];

  it.each<[string, Entry[], string[]]>([
    ["its transaction", [...toRug, search(10.1, rug)], PROVED],
    ["its transaction of version 1", [...toRug, search(10.1, setsRug(1))], PROVED],
    [
      "found before it was observed",
      [...steady(0, 0, 500), search(9.8, rug), ...changed(10, 10_000), searchAt10(9.7)],
      PROVED,
    ],
    [
      "more may have happened after it: none",
      [...toRug, searchAt10(-100, 9.7, rug)],
      ["500→10000 in 0: unproved"],
    ],
    [
      "several, one at a boundary: the steps are the events",
      [...overBoundary, searchFrom(0, ...steps)],
      [
        "500→10000 in 0: signature at 35700, swept",
        "500→700 in 1: signature at 36150, replaced",
        "10000→700 in 1: signature at 36150, swept",
      ],
    ],
    [
      "the same, while more may have happened: none",
      [...overBoundary, searchFrom(118, ...steps)],
      UNPROVED,
    ],
    [
      "several, the old rate at the boundary",
      [...overBoundary, searchFrom(0, ...flipped, to700)],
      [LAST],
    ],
    [
      "untold places in a slot: the observed came last",
      [...to900, search(10.1, ...untold(8))],
      proved900(2400),
    ],
    [
      "untold places at a boundary: nobody knows",
      [...overBoundary, searchFrom(0, ...untold(119), to700)],
      UNPROVED,
    ],
    [
      "one witness alone, and said to be one",
      [
        panelSnapshot(0, withA(500), { of: 1, authority }),
        ...[10, 10.5].map((minute) => panelCheck(minute, withA(10_000), { of: 1 })),
        transactions(10.6, 1, { after: -100, upTo: 10.05, found: [rug] }),
      ],
      ["500→10000 in 0: signature, one witness at 2850"],
    ],
  ])("%s", (_, entries, events) => {
    expect(provedEventsOf(...entries)).toEqual(events);
  });

  const told = (carried: Executed, change: (bytes: Buffer) => unknown): Found => {
    const bytes = Buffer.from(carried.bytes, "base64");
    change(bytes);
    return { executed: carried, lies: all(3, { bytes: bytes.toString("base64") }) };
  };
  const ofOther = updateCommissionBasisPoints(
    deriveKeypair("another account").address,
    authority,
    10_000,
  );
  const inner = (index: number): Lie => ({ inner: [[0, 2, [index], "AA=="]] });

  it.each<[string, Found[]]>([
    [
      "one of three witnesses tells of it",
      [{ executed: rug, lies: ["true", "unknown", "unknown"] }],
    ],
    [
      "a majority tells that it failed",
      [{ executed: rug, lies: [{ failed: true }, { failed: true }, "true"] }],
    ],
    [
      "each tells another slot",
      [{ executed: rug, lies: [{ slot: rug.slot + 1 }, { slot: rug.slot + 2 }, "true"] }],
    ],
    [
      "a stranger signed, whatever all of them tell",
      [setsA(9.5, [10_000], { by: deriveKeypair("a stranger") })],
    ],
    [
      "all tell of altered bytes",
      [told(rug, (bytes) => bytes.writeUInt16LE(9_000, bytes.length - 6))],
    ],
    [
      "all tell of altered bytes of version 1",
      [told(setsRug(1), (bytes) => bytes.writeUInt16LE(9_000, bytes.length - 2 * 64 - 6))],
    ],
    ["it is of a version to come", [told(setsRug(1), (bytes) => bytes.writeUInt8(0x82))]],
    [
      "a later one is of a version to come",
      [rug, told(setsA(9.8, [700]), (bytes) => bytes.writeUInt8(0x82))],
    ],
    ["it is of another vote account", [execute(slotAt(9.5), [ofOther], [AUTHORITY])]],
    ["it is told under another name", [{ ...rug, signature: setsA(9.4, [10_000]).signature }]],
    ["each tells of other instructions inside it", [{ executed: rug, lies: [1, 2, 3].map(inner) }]],
    [
      "a later one is not decided",
      [rug, { executed: setsA(9.8, [700]), lies: ["true", "unknown", "failed"] }],
    ],
  ])("unproved where %s", (_, found) => {
    expect(provedEventsOf(...toRug, search(10.1, ...found))).toEqual(["500→10000 in 0: unproved"]);
  });

  it("proved where two of three tell of it, and no more once it is told under another slot", () => {
    const proved = [...toRug, search(10.1, { executed: rug, lies: ["true", "unknown", "true"] })];
    expect(provedEventsOf(...proved)).toEqual(PROVED);
    const again = transactions(11, 3, {
      after: 10.05,
      upTo: 11,
      found: [{ ...rug, slot: slotAt(10.5) }],
    });
    expect(provedEventsOf(...proved, again)).toEqual(["500→10000 in 0: unproved"]);
  });

  it("not proved by a transaction from before the old rate was read, where it is disputed", () => {
    const disputed = [checkByLists(11, [10_000, 500, "silent"], withA(500))];
    const outcome = foldStory(...steady(0, 10, 500), ...disputed, search(11.1, rug));
    expect(provedEventsIn(outcome).filter((event) => !event.includes("swept"))).toEqual([]);
    expect(validatorOf(outcome, "A").inflation).toEqual({ basisPoints: 500, exact: true });
    const settled = foldStory(...steady(0, 0, 500), ...disputed, search(11.1, rug));
    expect(provedEventsIn(settled)).toEqual(PROVED);
    expect(settled.ledger.events[0]?.confirmedBy).toBe("transaction");
    expect(validatorOf(settled, "A").inflation).toEqual({ basisPoints: 10_000, exact: true });
  });
});

it("the steps of an observed change take its place, and the last supersedes it", () => {
  const steps = searchFrom(0, setsA(119, [10_000]), setsA(120.5, [700]));
  const [observed, , last] = foldStory(...steady(0, 110, 500), ...changed(121, 700), steps).ledger
    .events;
  expect(observed).toMatchObject({ isSwept: false, supersededBy: last?.id });
  expect(last).toMatchObject({ from: 10_000, to: 700, isSwept: true, supersededBy: null });
});

describe("an event with its transaction", () => {
  const entries = [...steady(0, 110, 500), ...changed(121, 10_000)];
  const without = foldStory(...entries);
  const proved = foldStory(...entries, searchFrom(0, setsA(117, [800, 900]), setsA(118, [10_000])));
  const [before] = without.ledger.events;

  it("keeps its id, its rates and its time, is of the transaction's epoch and paid from one epoch on", () => {
    const { id, from, to, createdAt } = before!;
    expect(before).toMatchObject({
      epoch: epochAt(121),
      effectiveEpoch: 1102,
      effectiveEpochLatest: 1103,
    });
    expect(proved.ledger.events).toMatchObject([
      {
        ...{
          id,
          from,
          to,
          createdAt,
          epoch: epochAt(118),
          effectiveEpoch: 1102,
          effectiveEpochLatest: 1102,
        },
        transaction: { slot: slotAt(118) },
      },
    ]);
  });

  it("shows each step, settles what stood at the end of the epoch, and touches both", () => {
    const steps = proved.ledger.events[0]?.transaction?.steps;
    expect(steps?.map(({ basisPoints }) => basisPoints)).toEqual([800, 900, 10_000]);
    expect(proved.ledger.proved.get(epochAt(118))?.[validatorOf(proved, "A").validatorIndex]).toBe(
      10_000,
    );
    expect(proved.touched.epochs).toEqual(new Set([epochAt(118), epochAt(121)]));
  });
});

it("slots are not searched before the key was known to hold the authority: they are searched once more", () => {
  const heir = deriveKeypair("heir");
  const found = [setsA(12, [10_000], { by: heir })];
  const ofHeir = { authority: heir.address, found };
  const before = [
    ...[...steady(0, 10, 500), transactions(13, 3, { ...ofHeir, after: -100, upTo: 12.5 })],
    panelSnapshot(20, withA(10_000), { of: 3, by: 1, authority: heir.address }),
  ];
  const passedOver = foldStory(...before);
  const slots = { after: slotAt(11), upTo: slotAt(12.2) };
  expect(isCovered(validatorOf(passedOver, "A"), slots)).toBe(false);
  const due = searchesForEvents(passedOver.ledger, timeAt(0)).find(
    (one) => one.authority === heir.address,
  );
  expect(due?.after).toBeLessThan(slotAt(12));
  const own = { after: -100, upTo: 20, found: [] };
  const outcome = foldStory(
    ...before,
    transactions(20.1, 3, own, { ...ofHeir, after: 10, upTo: 20 }),
  );
  expect(provedEventsIn(outcome)).toEqual(["500→10000 in 0: signature at 3600"]);
  expect(isCovered(validatorOf(outcome, "A"), slots)).toBe(true);
});
