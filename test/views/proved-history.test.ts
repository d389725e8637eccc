import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { getU16 } from "../../generator/ledger/columns.ts";
import { findContradictions } from "../../generator/views/contradictions.ts";
import { commissionPoint } from "../../generator/ledger/stake/points.ts";
import { trackedEpochs } from "../../generator/ledger/tracked-epochs.ts";
import { FIRST_EPOCH, slotAt, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { history, percents } from "../story/history.ts";
import { validatorOf } from "../story/outcome.ts";
import { checkBy } from "../story/observations.ts";
import { panelSnapshot } from "../story/panels.ts";
import {
  AUTHORITY,
  changed,
  setsA,
  steady,
  transactions,
  withdrawsA,
} from "../story/transactions.ts";
import { rest, withA } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const authority = AUTHORITY.address;
const first = steady(1, 1, 500);
const search = (...rates: [epoch: number, minute: number, rate: number][]) => {
  const found = rates.map(([epoch, minute, rate]) => setsA(epoch * 120 + minute, [rate]));
  return transactions(3, 3, { after: -1_200, upTo: 2, found });
};

describe("given the history of the chain, then these events", () => {
  const sampled = history(2, { A: percents(0, 100, 5, 5, 5) });
  const proved = search([-4, 30, 10_000], [-3, 20, 500]);
  const both = ["0→10000 in -4, proved, of the past", "10000→500 in -3, proved, of the past"];
  const news = ["9000→700 in -2, proved", "700→500 in -1, proved"];
  const late = history(2, { A: percents(0, 0, 100, 100, 5) });
  // From the end of the third epoch before.
  const lately = transactions(3, 3, {
    after: -250,
    upTo: 2,
    found: [setsA(-210, [10_000]), setsA(-110, [500])],
  });
  const after5 = history(2, { A: percents(5, 100, 5) });

  it.each<[string, Entry[], string[]]>([
    ["in the place of what was sampled before", [sampled, proved], both],
    ["or after", [proved, { ...sampled, time: timeAt(4) }], both],
    ["sampled", [late], ["0→10000 in -3, of the past", "10000→500 in -1, of the past"]],
    [
      "made after its sample",
      [late, search([-4, 110, 10_000], [-2, 119, 500])],
      [both[0]!, "10000→500 in -2, proved"],
    ],
    [
      "before the first: unknown",
      [search([-5, 30, 9_000], [-3, 20, 500])],
      ["9000→500 in -3, proved, of the past"],
    ],
    [
      "with the rate before only if all since its sample is known",
      [after5, lately],
      ["500→10000 in -2, of the past", "10000→500 in -1, proved"],
    ],
    [
      "news is at most two epochs old",
      [search([-3, 30, 9_000], [-2, 20, 700], [-1, 20, 500])],
      news,
    ],
  ])("%s", (_, entries, events) => {
    const inOrder = [...foldStory(...first, ...entries).ledger.events].sort(
      (a, b) => a.slot - b.slot,
    );
    const told = inOrder.map(({ from, to, epoch, confirmed, createdAt, transaction }) => {
      expect(transaction !== null).toBe(confirmed);
      const marks = [
        ...(confirmed ? ["proved"] : []),
        ...(createdAt === null ? ["of the past"] : []),
      ];
      return [`${from}→${to} in ${epoch - FIRST_EPOCH}`, ...marks].join(", ");
    });
    expect(told).toEqual(events);
  });

  it("it says what stood at the end of its epochs, and makes them known", () => {
    const outcome = foldStory(...first, search([-5, 30, 9_000], [-5, 40, 700], [-3, 20, 500]));
    const { validatorIndex } = validatorOf(outcome, "A");
    const pointOf = (epoch: number) =>
      commissionPoint(outcome.ledger, "inflation", { epoch: FIRST_EPOCH + epoch, validatorIndex });
    expect([-5, -4, -3, -2, -1, 0].map(pointOf)).toEqual([700, null, 500, null, null, 500]);
    expect(trackedEpochs(outcome.ledger).map((epoch) => epoch - FIRST_EPOCH)).toEqual([-5, -3, 0]);
  });
});

it("the end of an epoch is before a transaction of the next one, though a list of its own last slot shows it", () => {
  const listed = { list: withA(10_000), listSlot: slotAt(120) - 1 };
  const outcome = foldStory(
    ...steady(100, 119, 500),
    checkBy(120.1, all(3, listed)),
    ...steady(121, 140, 10_000),
    transactions(160, 3, { after: 100, upTo: 150, found: [setsA(120, [10_000])] }),
  );
  const { validatorIndex } = validatorOf(outcome, "A");
  const pointOf = (epoch: number) =>
    commissionPoint(outcome.ledger, "inflation", { epoch, validatorIndex });
  expect(outcome.ledger.events.map(({ from, to, epoch }) => [from, to, epoch])).toEqual([
    [500, 10_000, FIRST_EPOCH + 1],
  ]);
  expect([FIRST_EPOCH, FIRST_EPOCH + 1].map(pointOf)).toEqual([500, 10_000]);
});

const absentAt = (minute: number) => panelSnapshot(minute, rest, { of: 3 });

it.each<[string, Entry[], Entry[], number | null]>([
  ["stays what a transaction left", [], [], 560],
  [
    "is not known if the account was closed since: any rate may have opened it again",
    [absentAt(110), absentAt(112)],
    [],
    null,
  ],
  [
    "is not known either if the account is absent again, later",
    [absentAt(110), absentAt(112)],
    [absentAt(150)],
    null,
  ],
  ["stays if the account was absent only in the next epoch", [], [absentAt(150)], 560],
])("the end of an epoch %s", (_, absent, absentLater, end) => {
  const outcome = foldStory(
    ...steady(0, 20, 500),
    ...steady(40, 90, 560),
    ...absent,
    ...steady(130, 148, 560),
    ...absentLater,
    ...steady(152, 180, 560),
    transactions(181, 3, { after: 10, upTo: 125, found: [setsA(30, [560]), withdrawsA(100)] }),
  );
  const { validatorIndex } = validatorOf(outcome, "A");
  expect(getU16(outcome.ledger.proved, FIRST_EPOCH, validatorIndex)).toBe(end);
});

const proved = search([-5, 30, 9_000], [-3, 20, 500]);
const untold = [900, 10_000].map((rate) => ({
  executed: setsA(119, [rate]),
  lies: all(3, { index: null }),
}));
const found = [...untold, setsA(120.5, [700])];
const sampled = (value: number) => history(2, { A: percents(90, 90, value, 5, 5) });

it.each<[string, Entry[], object[]]>([
  [
    "a sample that none explains",
    [sampled(42), proved],
    [{ epoch: -3, of: "sampled", claimed: 4_200, proved: 500 }],
  ],
  ["no sample from before them", [sampled(90), proved], []],
  [
    "no sample of an epoch in which the rate changed again",
    [sampled(42), search([-5, 30, 9_000], [-3, 20, 500], [-3, 60, 700], [-2, 20, 500])],
    [],
  ],
  [
    "no change that no transaction made: it is disputed, and no event",
    [...changed(10, 10_000), transactions(12, 3, { after: -10, upTo: 11.5, found: [] })],
    [],
  ],
  ["none where they are not", changed(10, 10_000), []],
  [
    "no change whose last step is known",
    [
      ...[panelSnapshot(110, withA(500), { of: 3, authority }), ...changed(121, 700)],
      transactions(121.1, 3, { after: 0, upTo: 121.05, found }),
    ],
    [],
  ],
])("what contradicts the transactions is %s", (_, entries, contradictions) => {
  const outcome = foldStory(...first, ...entries);
  const relative = findContradictions(outcome.ledger, validatorOf(outcome, "A").validatorIndex).map(
    (one) => ({ ...one, epoch: one.epoch - FIRST_EPOCH }),
  );
  expect(relative).toEqual(contradictions);
});
