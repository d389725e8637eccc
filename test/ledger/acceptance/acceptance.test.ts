import { describe, expect, it } from "vitest";
import { minutes, slotAt } from "../../story/clock.ts";
import { foldStory } from "../../story/fold.ts";
import { check, snapshot } from "../../story/observations.ts";
import { eventsOf, eventsIn, validatorOf } from "../../story/outcome.ts";
import { crowd, type Fact, withA } from "../../story/validators.ts";

const ten = crowd(10);
const blinded = ten.map((fact) => ({ ...fact, bps: null }));

describe("what was refused", () => {
  it("moves nothing, with the reason of its refusal", () => {
    const outcome = foldStory(
      snapshot(0, ten),
      check(1, crowd(10, { bps: 10_000 }), { slot: 5 }),
      check(2, ten.slice(0, 2)),
    );
    expect(outcome.accepted[1]).toEqual({
      accepted: false,
      reason: expect.stringContaining("not above") as string,
    });
    expect([eventsIn(outcome), outcome.pending]).toEqual([[], []]);
    expect(outcome.ledger.acceptance).toMatchObject({
      accepted: 1,
      refused: 2,
      newest: { slot: slotAt(0) },
    });
    expect(outcome.ledger.acceptance.refusedObservations).toHaveLength(2);
    expect(validatorOf(outcome, "crowd 9").seen.slot).toBe(slotAt(0));
  });

  it("of commissions that cannot be read changes none when it is believed, confirms none and denies none", () => {
    const outcome = foldStory(
      snapshot(0, ten),
      ...minutes(1, 13).map((minute) => check(minute, blinded)),
    );
    expect(validatorOf(outcome, "crowd 0").commissionBasisPoints).toBe(500);
    expect(eventsIn(outcome)).toEqual([]);
    const facts = (bps: number | null): Fact[] => [...crowd(30), { name: "A", bps }];
    const seen = [
      snapshot(0, facts(500)),
      check(1, facts(10_000)),
      check(2, facts(null)),
      check(3, facts(null)),
    ];
    expect(eventsOf(...seen)).toEqual([]);
    expect(foldStory(...seen).pending).toHaveLength(1);
  });

  it("is remembered of the last twenty times only", () => {
    const outcome = foldStory(
      ...minutes(1, 60).flatMap((at) => [
        check(at, withA()),
        check(at + 0.5, withA(), { slot: 1 }),
      ]),
    );
    expect(outcome.ledger.acceptance.refused).toBe(60);
    expect(outcome.ledger.acceptance.refusedObservations).toHaveLength(20);
  });
});
