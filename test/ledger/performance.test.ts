import { describe, expect, it } from "vitest";
import type { SnapshotEntry, SnapshotRow } from "../../generator/entries/entry.ts";
import { fold } from "../../generator/ledger/fold.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import {
  check,
  crowd,
  eventsOf,
  type Fact,
  FIRST_EPOCH,
  keyOf,
  named,
  rest,
  slotAt,
  snapshot,
  tell,
  timeAt,
  validatorOf,
  withA,
} from "./story.ts";

const identity = keyOf("identity of A");
const facts = [...crowd(4), { name: "A" }];

const produced = (slots: number, blocks: number): Partial<SnapshotEntry> => ({
  production: { state: "ok", value: { rows: [[identity, slots, blocks]] } },
});
const withCredits = (credits: SnapshotRow["credits"]): Fact[] => [...crowd(4), { name: "A", credits }];
const earning = (credits: bigint) => withCredits([[FIRST_EPOCH, 1000n + credits, 1000n]]);

describe("performance", () => {
  it("is shown as of the last full hour, the first reading at once", () => {
    const early = tell(snapshot(0, earning(5n), produced(4, 4)), snapshot(10, earning(50n), produced(8, 6)));
    expect(validatorOf(early, "A").performanceOfHour).toMatchObject({ voteCredits: 5n, leaderSlots: 4 });
    const later = tell(
      snapshot(0, earning(5n), produced(4, 4)),
      snapshot(10, earning(50n), produced(8, 6)),
      check(60, facts),
    );
    expect(validatorOf(later, "A").performanceOfHour).toMatchObject({
      voteCredits: 50n,
      leaderSlots: 8,
      blocksProduced: 6,
      asOf: timeAt(10),
    });
  });

  it("keeps what was read last in the epoch where production or credits cannot be read", () => {
    const failed: Partial<SnapshotEntry> = { production: { state: "failed", reason: "no" } };
    const told = tell(snapshot(0, earning(50n), produced(8, 6)), snapshot(10, withCredits([]), failed));
    expect(validatorOf(told, "A").performance).toMatchObject({ voteCredits: 50n, leaderSlots: 8, asOf: timeAt(10) });
    const next = tell(snapshot(0, earning(50n), produced(8, 6)), snapshot(125, withCredits([]), failed));
    expect(validatorOf(next, "A").performance).toMatchObject({ voteCredits: 0n, leaderSlots: 0 });
  });

  it("of an identity that two vote accounts share is that of both", () => {
    const sharing = [...facts, { name: "B", identity: "A" }];
    const told = tell(snapshot(0, sharing, produced(8, 6)));
    for (const name of ["A", "B"])
      expect(validatorOf(told, name).performance).toMatchObject({ leaderSlots: 8, blocksProduced: 6 });
  });
});

describe("vote credits", () => {
  it.each<[string, SnapshotRow["credits"], bigint]>([
    [
      "of several epochs are those of the running one",
      [
        [FIRST_EPOCH - 1, 900n, 100n],
        [FIRST_EPOCH, 950n, 900n],
      ],
      50n,
    ],
    [
      "of one epoch in two rows are added",
      [
        [FIRST_EPOCH, 950n, 900n],
        [FIRST_EPOCH, 975n, 950n],
      ],
      75n,
    ],
    ["that went back are none", [[FIRST_EPOCH, 900n, 950n]], 0n],
    ["of earlier epochs only are none", [[FIRST_EPOCH - 1, 900n, 100n]], 0n],
  ])("%s", (_, credits, earned) => {
    expect(validatorOf(tell(snapshot(0, withCredits(credits))), "A").performance).toMatchObject({
      voteCredits: earned,
      unit: "credits",
    });
  });

  const migrating: SnapshotRow["credits"] = [
    [FIRST_EPOCH - 1, 1000n, 900n],
    [FIRST_EPOCH, 1002n, 1000n],
    null,
    [FIRST_EPOCH, 52_000_001_002n, 1002n],
  ];

  it("in the epoch of Alpenglow's migration are lamports, and never added to the credits before", () => {
    for (const creditsUnit of ["lamports", "credits", null] as const) {
      const told = tell(snapshot(0, withCredits(migrating), { creditsUnit }));
      expect(validatorOf(told, "A").performance).toMatchObject({ voteCredits: 52_000_000_000n, unit: "lamports" });
    }
  });

  it("before a separator that nothing follows yet are none of today's", () => {
    const told = tell(snapshot(0, withCredits(migrating.slice(0, 3))));
    expect(validatorOf(told, "A").performance).toMatchObject({ voteCredits: 0n, unit: "lamports" });
  });

  it("stay lamports when the separator has left the answer and no node can tell", () => {
    const told = tell(
      snapshot(0, withCredits(migrating), { creditsUnit: null }),
      snapshot(125, withCredits([[FIRST_EPOCH + 1, 60_000_000_000n, 52_000_001_002n]]), { creditsUnit: null }),
    );
    expect(validatorOf(told, "A").performance).toMatchObject({ voteCredits: 7_999_998_998n, unit: "lamports" });
  });

  it.each([
    ["a node knows that the cluster has not moved", "credits", "credits"],
    ["no node can tell", null, "credits"],
    ["a node holds the certificate", "lamports", "lamports"],
  ] as const)("are counted rightly where %s", (_, creditsUnit, unit) => {
    expect(validatorOf(tell(snapshot(0, earning(5n), { creditsUnit })), "A").performance).toMatchObject({ unit });
  });

  it("are lamports on alpenglow where no node can tell", () => {
    const entry = snapshot(0, earning(5n), { creditsUnit: null, network: "alpenglow" });
    const { ledger } = fold(createLedger("alpenglow"), named(entry));
    expect(ledger.validators.map(({ performance }) => performance?.unit)).toContain("lamports");
  });
});

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
