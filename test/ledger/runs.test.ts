import { describe, expect, it } from "vitest";
import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { observedRate } from "../../generator/ledger/rates/timeline.ts";
import { FIRST_EPOCH, timeAt, minutes, slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { history } from "../story/history.ts";
import { issuanceOf } from "../story/issuance.ts";
import { check, snapshot } from "../story/observations.ts";
import { eventsIn, validatorOf, provedEventsOf } from "../story/outcome.ts";
import { checkByLists, panelCheck, panelSnapshot } from "../story/panels.ts";
import { tipSnapshot } from "../story/tips.ts";
import { AUTHORITY, setsA, steady, transactions } from "../story/transactions.ts";
import { withA, keyOf } from "../story/validators.ts";
import { observedMev } from "../../generator/ledger/tips/timeline.ts";
import { read } from "../documents/fixtures.ts";

const OF3 = { of: 3 } as const;

describe("costs of events", () => {
  it("are calculated as soon as inflation is known", () => {
    const terms = { validatorRate: 0.04, slot: slotAt(10), supply: 600_000_000_000_000_000n, slotTimes: [] };
    const { ledger } = foldStory(
      snapshot(0, withA(500)),
      check(5, withA(1500)),
      check(6, withA(1500)),
      snapshot(10, withA(1500), { issuance: issuanceOf(10, terms) }),
    );
    expect(ledger.issuance.size).toBe(1);
    expect(ledger.events[0]?.cost).not.toBeNull();
  });
});

describe("epochs without a reading", () => {
  // One witness shows 1000 in epoch 0, then the generator is down until epoch 3.
  const told = [
    snapshot(0, withA(500)),
    check(1, withA(500)),
    check(100, withA(1000)),
    check(370, withA(1000)),
    check(371, withA(1000)),
  ];
  const sampled = history(372, {
    A: [
      { at: 1, percent: 95 },
      { at: 2, percent: 95 },
    ],
  });
  it("have no rate within a run that was pending before them", () => {
    const A = validatorOf(foldStory(...told), "A");
    expect([1, 2].map((at) => observedRate(A, FIRST_EPOCH + at))).toEqual([null, null]);
  });
  it("keep the samples of a public history", () => {
    expect(eventsIn(foldStory(...told, sampled))).toEqual([
      "INFO 500→1000 in 0",
      "RUG 1000→9500 in 1",
      "INFO 9500→1000 in 3",
    ]);
  });
  it("have no rate after a percent that nobody agreed on", () => {
    const entries = [
      panelSnapshot(0, withA(500), { ...OF3, lists: [{ percent: 5 }, 1000, 9500] }),
      panelCheck(370, withA(500), OF3),
      panelCheck(371, withA(500), OF3),
    ];
    const A = validatorOf(foldStory(...entries), "A");
    expect([1, 2].map((at) => observedRate(A, FIRST_EPOCH + at))).toEqual([null, null]);
  });
});

describe("an epoch in which witnesses never agree", () => {
  const dispute = (minute: number) => checkByLists(minute, [500, 1000, 9500], withA(500));
  const told = [
    panelSnapshot(0, withA(500), OF3),
    panelCheck(110, withA(500), OF3),
    ...[125, 180, 235].map(dispute),
    panelCheck(245, withA(500), OF3),
  ];
  it("is a live one: no sample fills it", () => {
    const sampled = history(250, { A: [{ at: 1, percent: 95 }] });
    expect(eventsIn(foldStory(...told, sampled))).toEqual([]);
  });
});

describe("a sweep", () => {
  it("makes events once a reading lies after its transactions", () => {
    const [up, down] = [setsA(45, [9500]), setsA(46, [500])];
    const swept = transactions(47, 3, { after: -100, upTo: 46.95, found: [up, down] });
    const told = [...steady(0, 40, 500), swept, panelCheck(50, withA(500), OF3), panelCheck(51, withA(500), OF3)];
    expect(provedEventsOf(...told)).toHaveLength(2);
  });
});

/** The same, so many minutes before by the slots of the cluster. */
function back<Observed extends CheckEntry | SnapshotEntry>(entry: Observed, by: number): Observed {
  const at = (slot: number) => slot - by * 300;
  const [slot, epoch] = [at(entry.absoluteSlot), Math.floor(at(entry.absoluteSlot) / 36_000)];
  const panel = entry.panel.map((one) => ({
    ...one,
    slot,
    epoch,
    firstSlot: epoch * 36_000,
    list: one.list && { ...one.list, slot },
  }));
  const accounts = entry.accounts.map((one) => ("slot" in one ? { ...one, slot } : one));
  return { ...entry, accounts, panel, slot, absoluteSlot: slot, slotIndex: slot % 36_000, epoch };
}

describe("a restart", () => {
  // 9500 at minute 125; at minute 135 the cluster runs again from minute 100, where A has 500.
  const BY = 35;
  const before = [...steady(0, 120, 500), panelCheck(126, withA(9500), OF3)];
  const insisting = minutes(135, 147).map((minute) => back(panelCheck(minute, withA(500), OF3), BY));
  const later = [150, 160, 170, 180, 190].map((minute) =>
    back(panelSnapshot(minute, withA(500), { of: 3, authority: AUTHORITY.address }), BY),
  );
  const searched = { ...transactions(190 - BY, 3, { after: -100, upTo: 189.95 - BY, found: [] }), time: timeAt(192) };

  it("takes a change back without a transaction", () => {
    const told = foldStory(...before, ...insisting, ...later, searched);
    expect(validatorOf(told, "A").commissionBasisPoints).toBe(500);
    expect(eventsIn(told)).toEqual(["RUG 500→9500 in 1", "INFO 9500→500 in 0"]);
    expect(told.pending).toEqual([]);
  });
  it("keeps it with a proved change", () => {
    const proved = transactions(130, 3, { after: -100, upTo: 129.95, found: [setsA(125, [9500])] });
    const told = foldStory(...before, { ...proved, time: timeAt(133) }, ...insisting, ...later, searched);
    expect(eventsIn(told)).toEqual(["RUG 500→9500 in 1", "INFO 9500→500 in 0"]);
  });
});

describe("a restart before a MEV change", () => {
  // 800 in epochs 0 and 1, 9500 in epoch 2; then the cluster runs again from epoch 1.
  const BY = 110;
  const before = [
    tipSnapshot(0, [{ now: 800, before: 800 }]),
    tipSnapshot(125, [{ now: 800, before: 800 }]),
    tipSnapshot(245, [{ now: 9500, before: 800 }]),
    tipSnapshot(246, [{ now: 9500, before: 800 }]),
  ];
  const again = (minute: number, share: number): SnapshotEntry => {
    const { tips } = tipSnapshot(minute - BY, [{ now: share, before: 800 }]);
    return { ...back(tipSnapshot(minute, [{}]), BY), tips, closedProduction: { state: "skipped", off: false } };
  };
  const insisting = minutes(250, 260).map((minute) => back(check(minute, withA()), BY));
  it("tells the rate of the epoch that runs again", () => {
    const told = foldStory(...before, ...insisting, again(265, 9500), again(266, 9500), again(270, 9500));
    const A = validatorOf(told, "A");
    expect(observedMev(A, FIRST_EPOCH + 1)).toBe(9500);
  });
  it("tells nothing of it before it is read again", () => {
    const A = validatorOf(foldStory(...before, ...insisting), "A");
    expect(observedMev(A, FIRST_EPOCH + 1)).toBeNull();
  });
  it("knows the same change in the same epoch once", () => {
    const risen = [tipSnapshot(125, [{ now: 9500, before: 800 }]), tipSnapshot(126, [{ now: 9500, before: 800 }])];
    const told = foldStory(
      ...before.slice(0, 1),
      ...risen,
      ...insisting,
      again(265, 9500),
      again(266, 9500),
      again(270, 9500),
    );
    expect(eventsIn(told)).toEqual(["MEV RUG 800→9500 in 1"]);
  });
  it("knows no change where it keeps its rate", () => {
    const told = foldStory(...before, ...insisting, again(265, 800), again(266, 800), again(270, 800));
    expect(eventsIn(told)).toEqual(["MEV RUG 800→9500 in 2"]);
  });
});

describe("a restart in the third epoch", () => {
  const before = [
    panelSnapshot(0, withA(500), OF3),
    panelCheck(130, withA(500), OF3),
    panelCheck(255, withA(500), OF3),
  ];
  const insisting = minutes(263, 274).map((minute) => back(panelCheck(minute, withA(500), OF3), 22));
  it("keeps the history of who never changed its rate", () => {
    const told = foldStory(...before, ...insisting);
    expect(told.accepted.at(-1)).toEqual({ accepted: true });
    const { data } = read(told.ledger, "commissionHistory", { votePubkey: keyOf("A") });
    expect(data.map((one) => [one.epoch - FIRST_EPOCH, one.commission])).toEqual([
      [0, 5],
      [1, 5],
      [2, 5],
    ]);
  });
});
