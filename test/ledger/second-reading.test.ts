import { describe, expect, it } from "vitest";
import { check, confirm, crowd, eventsOf, keyOf, snapshot, tell, validatorOf, withA, type Fact } from "./story.ts";

/* What a second reading decides about a change of the inflation commission, and what it does not. */

const of = (text: string) => `COMMISSION ${text} of ${keyOf("A").slice(0, 4)}`;
const first = snapshot(0, withA({ bps: 500 }));

describe("a second reading", () => {
  it("that comes within 30 s with the old value, as of a node a little behind, does not drop the change", () => {
    const told = tell(first, check(1, withA({ bps: 10_000 })), check(1.4, withA({ bps: 500 })));
    expect(told.pending).toHaveLength(1);
    expect(told.ledger.dropped).toBe(0);
  });

  it("makes an event of the basis points, where the first showed the percent of a node that knows no others", () => {
    const told = tell(first, check(1, withA({ percent: 8 })), check(2, withA({ bps: 750 })));
    expect(eventsOf(told)).toEqual([of("INFO 500→750 in 0")]);
    expect(validatorOf(told, "A").commissionBasisPoints).toBe(750);
  });

  it("that denies the change still tells the old value more precisely", () => {
    const told = tell(
      snapshot(0, withA({ percent: 5 })),
      check(1, withA({ bps: 10_000 })),
      confirm(1.02, [{ name: "A", bps: 520 }]),
    );
    expect(eventsOf(told)).toEqual([]);
    expect(validatorOf(told, "A").commissionBasisPoints).toBe(520);
  });
});

describe("more than 20 changes and more than 5 % of the list at once", () => {
  const rugged = (bps: number, among: number): Fact[] => [
    ...crowd(21, { bps }),
    ...Array.from({ length: among - 21 }, (_, index) => ({ name: `calm ${index}` })),
  ];
  const pendingOf = (among: number) => tell(snapshot(0, rugged(500, among)), check(1, rugged(9000, among))).pending;

  it("are in doubt: 21 of 419", () => {
    expect(pendingOf(419).filter(({ mass }) => mass)).toHaveLength(21);
  });

  it("are not, where they are 5 % exactly: 21 of 420", () => {
    expect(pendingOf(420).filter(({ mass }) => !mass)).toHaveLength(21);
  });
});
