import { describe, expect, it } from "vitest";
import { type Status, STATUS_SOURCES } from "../../generator/contract/status.ts";
import { toFreshness, toVerdict } from "../../public/format/freshness.ts";
import { SOURCE_WORDS } from "../../public/pages/status/SourceGuide.tsx";

const SNAPSHOT = "2026-11-20T07:30:00.000Z";
const after = (minutes: number) => Date.parse(SNAPSHOT) + minutes * 60_000;

it("says of every source what it is for and what its loss means", () => {
  expect(Object.keys(SOURCE_WORDS).toSorted()).toEqual([...STATUS_SOURCES].toSorted());
});

describe("a snapshot", () => {
  it.each([
    ["fresh", 0],
    ["fresh", 12],
    ["late", 12.01],
    ["late", 30],
    ["old", 30.01],
    ["old", 40_000],
  ])("is %s after %d minutes", (freshness, minutes) => {
    expect(toFreshness(SNAPSHOT, after(minutes))).toBe(freshness);
  });

  it("has no known age before there is one, and before the time is known", () => {
    expect(toFreshness(null, after(0))).toBe("unknown");
    expect(toFreshness(SNAPSHOT, null)).toBe("unknown");
  });
});

describe("a network", () => {
  it("is ok while all is read, sources that it does not have aside", () => {
    expect(toVerdict(facts({ mev: "off" }), after(5)).state).toBe("ok");
  });

  it("is degraded by a source, and says how many", () => {
    const verdict = toVerdict(facts({ mev: "degraded", locations: "failed" }), after(5));
    expect(verdict).toEqual({ state: "degraded", sentence: expect.stringContaining("2 of 7 sources") as string });
  });

  it("is degraded by a snapshot that is overdue, and has failed with one that is old", () => {
    expect(toVerdict(facts({}), after(20)).state).toBe("degraded");
    expect(toVerdict(facts({}), after(31)).state).toBe("failed");
  });

  it("has failed where commissions cannot be read, or nothing ever was", () => {
    expect(toVerdict(facts({ votes: "degraded" }), after(1)).state).toBe("failed");
    expect(toVerdict({ ...facts({}), snapshotAt: null }, after(1)).state).toBe("failed");
  });

  it("is judged by its sources alone while the time is not known", () => {
    expect(toVerdict(facts({}), null).state).toBe("ok");
  });
});

function facts(states: Partial<Record<Status["sources"][number]["name"], Status["sources"][number]["state"]>>) {
  const sources = STATUS_SOURCES.map((name) => ({
    name,
    state: states[name] ?? ("ok" as const),
    lastSuccessAt: SNAPSHOT,
    reason: null,
  }));
  return { sources, snapshotAt: SNAPSHOT };
}
