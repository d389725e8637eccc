import { expect, it } from "vitest";
import type { CheckEntry, Entry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { observedMev } from "../../generator/ledger/tips/timeline.ts";
import { read } from "../documents/read.ts";
import { SLOTS_A_MINUTE, timeAt, minutes, FIRST_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { check, movedTo } from "../story/observations.ts";
import { eventsIn, validatorOf, eventsOf } from "../story/outcome.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { tipSnapshot } from "../story/tips.ts";
import { steady, transactions, setsA, AUTHORITY } from "../story/transactions.ts";
import { withA, keyOf } from "../story/validators.ts";

/* Events where a cluster runs again from a slot before the newest one. */

function movedBack<E extends CheckEntry | SnapshotEntry>(entry: E, by: number): E {
  return movedTo(entry, entry.absoluteSlot - by * SLOTS_A_MINUTE);
}

/**
 * 95 % from minute 125 on; at minute 135 the cluster runs again from minute 100, where A has 5 %.
 */
const risen = [...steady(0, 120, 500), panelCheck(126, withA(9500), { of: 3 })];
const proved = {
  ...transactions(130, 3, { after: -100, upTo: 129.95, found: [setsA(125, [9500])] }),
  time: timeAt(133),
};
const again = [
  ...minutes(135, 147).map((minute) => movedBack(panelCheck(minute, withA(500), { of: 3 }), 35)),
  ...[150, 160, 170, 180, 190].map((minute) =>
    movedBack(panelSnapshot(minute, withA(500), { of: 3, authority: AUTHORITY.address }), 35),
  ),
  { ...transactions(155, 3, { after: -100, upTo: 154.95, found: [] }), time: timeAt(192) },
];

it.each<[string, Entry[]]>([
  ["without a transaction", [...risen, ...again]],
  ["though a transaction proved it", [...risen, proved, ...again]],
])("a change of the abandoned chain is taken back %s", (_, entries) => {
  const outcome = foldStory(...entries);
  expect(eventsIn(outcome)).toEqual(["RUG 500→9500 in 1", "INFO 9500→500 in 0"]);
  expect(validatorOf(outcome, "A").commissionBasisPoints).toBe(500);
  expect(outcome.pending).toEqual([]);
});

const NOT_READ = { state: "skipped", off: false } as const;
/** 8 % in epochs 0 and 1, 95 % in epoch 2; then the cluster runs again from epoch 1. */
const risenInThird = [0, 125, 245, 246].map((minute) =>
  tipSnapshot(minute, [{ now: minute < 240 ? 800 : 9500, before: 800 }]),
);
const BACK = 110;
/** The share of the epoch that runs again. */
const runningAgain = (minute: number, share: number) => {
  const { tips } = tipSnapshot(minute - BACK, [{ now: share, before: 800 }]);
  return { ...movedBack(tipSnapshot(minute, [{}]), BACK), tips, closedProduction: NOT_READ };
};
const insisting = minutes(250, 260).map((minute) => movedBack(check(minute, withA()), BACK));
const three = (share: number) => [265, 266, 270].map((minute) => runningAgain(minute, share));
const risenInSecond = [125, 126].map((minute) => tipSnapshot(minute, [{ now: 9500, before: 800 }]));

it.each<[string, Entry[], string[]]>([
  [
    "is one, where it is shown on both chains",
    [...risenInThird.slice(0, 1), ...risenInSecond, ...insisting, ...three(9500)],
    ["MEV RUG 800→9500 in 1"],
  ],
  [
    "stays the abandoned chain's, where the other keeps its share",
    [...risenInThird, ...insisting, ...three(800)],
    ["MEV RUG 800→9500 in 2"],
  ],
])("a MEV change %s", (_, entries, events) => {
  expect(eventsOf(...entries)).toEqual(events);
});

it.each<[string, Entry[], number | null]>([
  ["is unknown until it is read again", [], null],
  ["is the one that is read then", three(9500), 9500],
])("the share of the epoch that runs again %s", (_, entries, share) => {
  const outcome = foldStory(...risenInThird, ...insisting, ...entries);
  expect(observedMev(validatorOf(outcome, "A"), FIRST_EPOCH + 1)).toBe(share);
});

it("who never changed its rate keeps its history", () => {
  const outcome = foldStory(
    ...[
      panelSnapshot(0, withA(500), { of: 3 }),
      ...[130, 255].map((minute) => panelCheck(minute, withA(500), { of: 3 })),
    ],
    ...minutes(263, 274).map((minute) => movedBack(panelCheck(minute, withA(500), { of: 3 }), 22)),
  );
  expect(outcome.accepted.at(-1)).toEqual({ accepted: true });
  const { data } = read(outcome.ledger, "commissionHistory", { votePubkey: keyOf("A") });
  expect(data.map((one) => [one.epoch - FIRST_EPOCH, one.commission])).toEqual(
    [0, 1, 2].map((epoch) => [epoch, 5]),
  );
});
