import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { createLedger, type Ledger } from "../../../generator/ledger/ledger.ts";
import type { Quarantined } from "../../../generator/service/quarantined.ts";
import { showStandings } from "../../../generator/service/metrics/standing.ts";
import { panelCheck, panelConfirm, panelSnapshot } from "../../ledger/panel-story.ts";
import { tell, timeAt, withA } from "../../ledger/story.ts";
import { readSamples, sumOf } from "./samples.ts";

const DISPUTED = [
  panelSnapshot(0, withA({ bps: 500 }), { of: 2 }),
  ...Array.from({ length: 9 }, (_, index) => panelCheck(index + 1, withA({ bps: 500 }), { of: 2, by: index % 2 })),
  panelCheck(10, withA({ bps: 10_000 }), { of: 2 }),
];

async function readStanding(ledger: Ledger, quarantined: Quarantined[] = []) {
  const registry = new Registry();
  const counts = () => ({ done: 11, total: 11, resumedAt: 0 });
  const standing = { ledger: () => ledger, quarantined: () => quarantined, counts };
  showStandings(registry, { standings: new Map([["mainnet", standing]]), now: () => Date.parse(timeAt(75)) });
  return readSamples(await registry.metrics());
}

describe("where a network stands", () => {
  it("counts what is pending and what is disputed apart, and tells since when", async () => {
    const pending = await readStanding(tell(...DISPUTED).ledger);
    expect(sumOf(pending, "rugwatch_changes", { state: "pending" })).toBe(1);
    expect(sumOf(pending, "rugwatch_changes", { state: "disputed" })).toBe(0);
    expect(sumOf(pending, "rugwatch_disputed_age_seconds")).toBe(0);
    expect(sumOf(pending, "rugwatch_pending_age_seconds")).toBe(65 * 60);
    const disputed = await readStanding(tell(...DISPUTED, panelConfirm(10.02, [{ bps: 10_000 }, { bps: 500 }])).ledger);
    expect(sumOf(disputed, "rugwatch_changes", { state: "pending" })).toBe(0);
    expect(sumOf(disputed, "rugwatch_changes", { state: "disputed" })).toBe(1);
    expect(sumOf(disputed, "rugwatch_disputed_age_seconds")).toBe(65 * 60);
    expect(sumOf(disputed, "rugwatch_pending_age_seconds")).toBe(0);
  });

  it("counts what of the journal is set aside, and names none of it", async () => {
    const quarantined = [{ object: "journal/s3cret", reason: "s3cret" }];
    const samples = await readStanding(tell(...DISPUTED).ledger, quarantined);
    expect(sumOf(samples, "rugwatch_quarantined_objects")).toBe(1);
    expect(JSON.stringify(samples)).not.toContain("s3cret");
  });

  it("is not told of a ledger that is not at hand", async () => {
    expect(await readStanding(createLedger("mainnet", 1))).toEqual([]);
  });
});
