import { describe, expect, it } from "vitest";
import type { Entry, SnapshotEntry, SnapshotRow } from "../../generator/entries/entry.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { FIRST_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory, foldOnto } from "../story/fold.ts";
import { check, snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { keyOf, withA } from "../story/validators.ts";

type Credits = SnapshotRow["credits"];
const produced = (slots: number, blocks: number): Partial<SnapshotEntry> => ({
  production: { state: "ok", value: { rows: [[keyOf("identity of A"), slots, blocks]] } },
});
const failed: Partial<SnapshotEntry> = { production: { state: "failed", reason: "no" } };
const earning = (credits: bigint): Credits => [[FIRST_EPOCH, 1000n + credits, 1000n]];
const shot = (minute: number, credits: Credits, sides: Partial<SnapshotEntry> = {}) =>
  snapshot(minute, withA({ credits }), sides);
const readingOf = (...entries: Entry[]) => validatorOf(foldStory(...entries), "A");

describe("performance", () => {
  it("is shown as of the last full hour, the first reading at once", () => {
    const readings = [shot(0, earning(5n), produced(4, 4)), shot(10, earning(50n), produced(8, 6))];
    expect(readingOf(...readings).performanceOfHour).toMatchObject({
      voteCredits: 5n,
      leaderSlots: 4,
    });
    const later = { voteCredits: 50n, leaderSlots: 8, blocksProduced: 6, asOf: timeAt(10) };
    expect(readingOf(...readings, check(60, withA())).performanceOfHour).toMatchObject(later);
  });

  it.each([
    [
      "keeps in the epoch what was read last",
      10,
      { voteCredits: 50n, leaderSlots: 8, asOf: timeAt(10) },
    ],
    ["not in the next one", 125, { voteCredits: 0n, leaderSlots: 0 }],
  ])("%s", (_, minute, shown) => {
    const entries = [shot(0, earning(50n), produced(8, 6)), shot(minute, [], failed)];
    expect(readingOf(...entries).performance).toMatchObject(shown);
  });

  it("of an identity that two vote accounts share is that of both", () => {
    const outcome = foldStory(
      snapshot(0, [...withA(), { name: "B", identity: "A" }], produced(8, 6)),
    );
    for (const name of ["A", "B"])
      expect(validatorOf(outcome, name).performance).toMatchObject({
        leaderSlots: 8,
        blocksProduced: 6,
      });
  });
});

describe("vote credits", () => {
  const before: Credits = [[FIRST_EPOCH - 1, 900n, 100n]];

  it.each<[string, Credits, bigint]>([
    ["of several epochs are those of the running one", [...before, [FIRST_EPOCH, 950n, 900n]], 50n],
    ["of one epoch in two rows are added", [...earning(50n), ...earning(25n)], 75n],
    ["that went back are none", [[FIRST_EPOCH, 900n, 950n]], 0n],
    ["of earlier epochs only are none", before, 0n],
  ])("%s", (_, credits, voteCredits) => {
    expect(readingOf(shot(0, credits)).performance).toMatchObject({ voteCredits, unit: "credits" });
  });

  it.each([
    ["a node knows that the cluster has not moved", "credits", "credits"],
    ["no node can tell", null, "credits"],
    ["a node holds the certificate", "lamports", "lamports"],
  ] as const)("are counted rightly where %s", (_, creditsUnit, unit) => {
    expect(readingOf(shot(0, earning(5n), { creditsUnit })).performance).toMatchObject({ unit });
  });

  it("are lamports on alpenglow where no node can tell", () => {
    const entry = shot(0, earning(5n), { creditsUnit: null, network: "alpenglow" });
    const { ledger } = foldOnto(createLedger("alpenglow"), entry);
    expect(validatorOf({ ledger }, "A").performance?.unit).toBe("lamports");
  });
});

/* Alpenglow puts lamports behind a separator. */
const credits: Credits = [[FIRST_EPOCH - 1, 1000n, 900n], [FIRST_EPOCH, 1500n, 1000n], null];
const migrated: Credits = [...credits, [FIRST_EPOCH, 52_000_001_500n, 1500n]];
const next: Credits = [[FIRST_EPOCH + 1, 60_000_000_000n, 52_000_001_500n]];
const tower = shot(0, credits.slice(0, 2), { creditsUnit: "credits" });
const lamports = { creditsUnit: "lamports" } as const;
const unknown = { creditsUnit: null };

it.each<[string, Entry[], bigint]>([
  [
    "lamports are never added to the credits before",
    [shot(0, migrated, lamports)],
    52_000_000_000n,
  ],
  [
    "also where a node still tells the old unit",
    [shot(0, migrated, { creditsUnit: "credits" })],
    52_000_000_000n,
  ],
  ["between two snapshots", [tower, shot(10, migrated, lamports)], 52_000_000_000n],
  ["nor are they told as lamports where none can be read yet", [tower, shot(10, [], lamports)], 0n],
  [
    "lamports stay so without it later",
    [shot(0, migrated, unknown), shot(125, next, unknown)],
    7_999_998_500n,
  ],
])("while a cluster migrates to Alpenglow %s", (_, entries, voteCredits) => {
  expect(readingOf(...entries).performance).toMatchObject({ voteCredits, unit: "lamports" });
});
