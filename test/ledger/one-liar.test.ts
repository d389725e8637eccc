import { describe, expect, it } from "vitest";
import { agreeing, checksByLists, OLD, RISEN, RUG } from "../story/agreement.ts";
import { FIRST_EPOCH, minutes, slotAt, SLOTS_IN_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { eventsOf, eventsIn, validatorOf, acceptanceOf } from "../story/outcome.ts";
import { checkByLists, panelCheck, panelSnapshot } from "../story/panels.ts";
import { crowd, withA } from "../story/validators.ts";

describe("one liar among three", () => {
  const lies = (moments: number[], ahead: number) =>
    checksByLists(moments, [{ bps: 10_000, ahead }, 500, 500]);

  it("that claims to be 200 slots ahead is not where the panel is", () => {
    const outcome = foldStory(
      ...agreeing(3),
      ...checksByLists(minutes(10, 13), [{ bps: 10_000, ahead: 200 }, 500, 10_000]),
    );
    expect(eventsIn(outcome)).toEqual([]);
  });

  it("that is 100 slots ahead is denied by the others", () => {
    expect(eventsOf(...agreeing(3), ...lies(minutes(10, 12), 100))).toEqual([]);
  });

  it("does not hide a rug, whichever list is the entry's own", () => {
    const by = (own: number) =>
      panelCheck(10, OLD, { of: 3, by: own, lists: [500, 10_000, 10_000] });
    expect([0, 1, 2].map((own) => eventsOf(...agreeing(3), by(own)))).toEqual([
      [RUG],
      [RUG],
      [RUG],
    ]);
  });

  it("cannot move the window by showing the OLD value late, nor the new one early", () => {
    const outcome = foldStory(
      ...agreeing(3),
      ...checksByLists([10], [500, 10_000, 500]),
      ...checksByLists([11], [500, 10_000, 10_000]),
    );
    expect(outcome.ledger.events).toMatchObject([{ previousSlot: slotAt(10), slot: slotAt(11) }]);
  });

  it("cannot make a false first value the beginning of an event", () => {
    const first = panelSnapshot(0, OLD, { of: 3, lists: [0, "silent", "silent"] });
    const outcome = foldStory(first, checkByLists(1, [0, 500, 500], OLD));
    expect(eventsIn(outcome)).toEqual([]);
    expect(validatorOf(outcome, "A")).toMatchObject({
      inflation: { basisPoints: 500 },
      rates: { isAgreed: true },
    });
  });

  it("cannot make a list of before the last change speak for a change after it", () => {
    const entries = [
      checkByLists(10, [{ bps: 500, ahead: -1 }, 10_000, { bps: 10_000, ahead: 3 }], OLD),
      checkByLists(
        10.02,
        [
          { bps: 500, ahead: -5 },
          { bps: 500, ahead: 90 },
          { bps: 10_000, ahead: 20 },
        ],
        OLD,
      ),
    ];
    expect(eventsOf(...agreeing(3), ...entries)).toEqual([RUG]);
  });

  it("does not move where the newest accepted slot is", () => {
    const outcome = foldStory(...agreeing(3), panelCheck(10, OLD, { of: 3, ahead: [149] }));
    expect(outcome.ledger.acceptance.newest?.slot).toBe(slotAt(10));
  });

  it.each([
    ["fewer vote accounts", OLD.slice(-4)],
    ["rates that nobody can read", OLD.map((fact) => ({ ...fact, bps: null }))],
  ])(
    "cannot make %s be believed while the others are silent, however often it shows them",
    (_, facts) => {
      const lists = [undefined, "silent", "silent"] as const;
      const { accepted } = foldStory(
        ...agreeing(3),
        ...minutes(10, 25).map((minute) => panelCheck(minute, facts, { of: 3, lists })),
      );
      expect(new Set(accepted.slice(agreeing(3).length).map((one) => one.accepted))).toEqual(
        new Set([false]),
      );
    },
  );

  const rows = (stake: bigint) => OLD.map((fact) => ({ ...fact, stake }));

  it.each([
    ["with 900 times the stake of one", withA({ stake: 900_000_000_000n })],
    ["with three times the stake", rows(3_000_000_000n)],
    ["with a fifth more", rows(1_200_000_000n)],
    ["of too few", OLD.slice(-4)],
  ])(
    "whose list is the entry's own is refused %s, and the true one after it is not",
    (_, facts) => {
      const lied = panelCheck(10, OLD, { of: 3, by: 0, facts: [facts] });
      const outcome = foldStory(...agreeing(3), lied, panelCheck(11, OLD, { of: 3 }));
      const reason = expect.stringContaining("no majority of the panel") as string;
      expect(outcome.accepted.slice(-2)).toEqual([{ accepted: false, reason }, { accepted: true }]);
      expect(validatorOf(outcome, "A").activeStake).toBe(1_000_000_000n);
    },
  );

  it("does not keep the others' smaller set from being believed at once", () => {
    const smaller = panelCheck(10, crowd(7), { of: 3, by: 1, facts: [OLD] });
    expect(acceptanceOf(...agreeing(3), smaller)).toBe("+".repeat(11));
  });

  it("cannot let an epoch begin later than the one before ends", () => {
    const end = slotAt(0) + SLOTS_IN_EPOCH;
    const late = { ...panelCheck(121, OLD, { of: 3 }), slotIndex: slotAt(121) - end - 93 };
    const outcome = foldStory(
      panelSnapshot(110, OLD, { of: 3 }),
      late,
      panelCheck(122, OLD, { of: 3 }),
    );
    expect(outcome.accepted.map(({ accepted }) => accepted)).toEqual([true, false, true]);
    expect(outcome.ledger.epochs.at(-1)).toMatchObject({ epoch: FIRST_EPOCH + 1, firstSlot: end });
  });

  it("dates no change by an epoch that the others deny", () => {
    const liar = {
      ...panelCheck(10, RISEN, { of: 3, epochs: [FIRST_EPOCH + 3] }),
      epoch: FIRST_EPOCH + 3,
    };
    const outcome = foldStory(...agreeing(3), liar);
    expect(outcome.accepted.at(-1)).toMatchObject({
      accepted: false,
      reason: expect.stringContaining("most of the panel") as string,
    });
    expect(eventsOf(...agreeing(3), liar, panelCheck(11, RISEN, { of: 3 }))).toEqual([RUG]);
  });

  it("moves no epoch by a first slot that the others deny, though its number is right", () => {
    const entry = panelCheck(10, RISEN, { of: 3 });
    const panel = entry.panel.map((row, witness) =>
      witness === 0 ? { ...row, firstSlot: slotAt(0) - 19 } : row,
    );
    const outcome = foldStory(...agreeing(3), { ...entry, slotIndex: entry.slotIndex + 19, panel });
    expect(outcome.accepted.at(-1)).toMatchObject({ accepted: false });
    expect(outcome.ledger.epochs[0]?.firstSlot).toBe(slotAt(0));
  });

  it("decides no schedule for the others: what most tell is believed at once", () => {
    const wrong = panelSnapshot(0, OLD, { of: 1 });
    const before = { ...wrong, epoch: FIRST_EPOCH - 9, slotIndex: 5, slotsInEpoch: 9_000_000 };
    const outcome = foldStory(before, panelCheck(1, OLD, { of: 3 }));
    expect(outcome.accepted.map(({ accepted }) => accepted)).toEqual([true, true]);
    expect(outcome.ledger.epochs.at(-1)).toMatchObject({
      epoch: FIRST_EPOCH,
      firstSlot: slotAt(0),
    });
  });
});
