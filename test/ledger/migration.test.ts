import { describe, expect, it } from "vitest";
import type { SnapshotEntry, SnapshotRow } from "../../generator/entries/entry.ts";
import { check, eventsOf, FIRST_EPOCH, rest, slotAt, snapshot, tell, validatorOf, withA } from "./story.ts";

/* A cluster that goes over to Alpenglow between two snapshots: credits become lamports, and for a moment nothing is final. */

const SEPARATOR = null;
const before: SnapshotRow["credits"] = [[FIRST_EPOCH, 1500n, 1000n]];
const after: SnapshotRow["credits"] = [...before, SEPARATOR, [FIRST_EPOCH, 52_000_000_700n, 1500n]];
const unit = (creditsUnit: SnapshotEntry["creditsUnit"]) => ({ creditsUnit });

const tower = snapshot(0, withA({ bps: 500, credits: before }), unit("credits"));
const performanceOf = (...later: SnapshotEntry[]) => validatorOf(tell(tower, ...later), "A").performance;

describe("while a cluster migrates to Alpenglow", () => {
  it("credits give way to lamports, and the two are never added", () => {
    const migrated = snapshot(10, withA({ bps: 500, credits: after }), unit("lamports"));
    expect(performanceOf(migrated)).toMatchObject({ unit: "lamports", voteCredits: 51_999_999_200n });
  });

  it("credits that were counted before are not told as lamports where none can be read yet", () => {
    const unreadable = snapshot(10, withA({ bps: 500, credits: [] }), unit("lamports"));
    expect(performanceOf(unreadable)).toMatchObject({ unit: "lamports", voteCredits: 0n });
  });

  it("slots that stand still for a quarter of an hour are no restart, and accuse nobody", () => {
    const paused = Array.from({ length: 15 }, (_, index) => check(index + 1, withA({ bps: 500 }), { slot: slotAt(0) }));
    const told = tell(tower, ...paused, check(16, withA({ bps: 500 }), { slot: slotAt(0) + 1 }));
    expect(told.outcomes.map(({ accepted }) => accepted)).toEqual([true, ...paused.map(() => false), true]);
    expect(eventsOf(told)).toEqual([]);
    expect(told.ledger.epochs.map(({ epoch }) => epoch)).toEqual([FIRST_EPOCH]);
    expect(validatorOf(told, "A")).toMatchObject({ listed: true, delinquent: false });
    expect(rest.every(({ name }) => validatorOf(told, name).listed)).toBe(true);
  });
});
