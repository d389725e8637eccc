import { describe, expect, it } from "vitest";
import { FIRST_EPOCH, check, confirm, eventsOf, keyOf, rest, slotAt, snapshot, tell, withA } from "./story.ts";

const first = snapshot(0, withA({ bps: 500 }));

describe("nobody is accused", () => {
  it("on the word of a list that the account itself contradicts with a third value", () => {
    const lie = withA({ bps: 10_000 });
    const told = tell(
      first,
      check(1, lie),
      confirm(1.02, [{ name: "A", bps: 700 }]),
      check(2, lie),
      confirm(2.02, [{ name: "A", bps: 700 }]),
      check(3, lie),
    );
    expect(eventsOf(told)).toEqual([]);
  });

  it("by an account read before the old value was last seen", () => {
    const told = tell(
      first,
      check(10, withA({ bps: 500 })),
      check(11, withA({ bps: 10_000 })),
      confirm(11.02, [{ name: "A", bps: 10_000 }], [], slotAt(9)),
    );
    expect(eventsOf(told)).toEqual([]);
    expect(told.pending).toHaveLength(1);
  });
});

describe("what is pending", () => {
  it("is not dropped by a percent that stands for the new value as well as for the old one", () => {
    const told = tell(
      first,
      check(1, withA({ bps: 550 })),
      check(2, withA({ percent: 5 })),
      check(3, withA({ bps: 550 })),
    );
    expect(eventsOf(told)).toEqual([`COMMISSION INFO 500→550 in 0 of ${keyOf("A").slice(0, 4)}`]);
    expect(told.ledger.events).toMatchObject([{ slot: slotAt(1), previousSlot: slotAt(0) }]);
  });

  it("is given up when the validator leaves the list", () => {
    const gone = { absent: [keyOf("A")] };
    const told = tell(first, check(1, withA({ bps: 10_000 })), snapshot(10, rest, gone), snapshot(20, rest, gone));
    expect(told.pending).toEqual([]);
    expect(told.ledger.dropped).toBe(1);
  });

  it("is an event of the epoch that showed it, though the second reading says another epoch", () => {
    const odd = { ...confirm(1.02, [{ name: "A", bps: 10_000 }]), epoch: 7 };
    const told = tell(
      first,
      check(1, withA({ bps: 10_000 })),
      odd,
      check(2, withA({ bps: 0 })),
      check(3, withA({ bps: 0 })),
    );
    expect(told.ledger.events).toMatchObject([
      { epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2 },
      { epoch: FIRST_EPOCH, effectiveEpoch: FIRST_EPOCH + 2, previousSlot: slotAt(1) },
    ]);
    expect([...told.ledger.inflation.keys()]).toEqual([FIRST_EPOCH]);
  });
});

describe("who appears later", () => {
  const old = { name: "A", credits: [[FIRST_EPOCH, 20n, 10n]] as [number, bigint, bigint][] };

  it("is not new when it has voted before, and its change does not pay at once", () => {
    const told = tell(
      snapshot(0, rest),
      snapshot(121, [...rest, { ...old, bps: 500 }]),
      check(122, withA({ bps: 10_000 })),
      check(123, withA({ bps: 10_000 })),
    );
    expect(told.ledger.events).toMatchObject([{ effectiveEpoch: FIRST_EPOCH + 3 }]);
  });
});
