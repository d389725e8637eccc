import { describe, expect, it } from "vitest";
import { SERIAL_TURNS, toMarks } from "../../public/pages/validators/sorting.ts";
import { toEvents } from "./events.ts";

const toTurns = (...deltas: (number | null)[]) =>
  toMarks(toEvents(...deltas.map((delta) => ({ delta })))).get("A")?.turns;

describe("marks of what a validator changed of late", () => {
  it("leave out a change whose steps are events of their own", () => {
    const [marks] = toMarks(toEvents({ severity: "RUG", replacedBy: "a step" }, { delta: -5 }, { delta: 95 })).values();
    expect(marks).toMatchObject({ changes: 2, worst: "INFO", newest: { delta: -5 }, turns: 1 });
  });

  it("are its newest change, the worst severity among all, and how many they are", () => {
    const events = toEvents(
      { votePubkey: "B" },
      { delta: -95 },
      { severity: "RUG", delta: 95 },
      { severity: "CAUTION" },
    );
    const marks = toMarks(events);
    expect([...marks.keys()].sort()).toEqual(["A", "B"]);
    expect(marks.get("A")).toMatchObject({ changes: 3, worst: "RUG", newest: events[1] });
    expect(marks.get("B")).toMatchObject({ changes: 1, worst: "INFO", turns: 0 });
  });

  it("count a turn where a rise follows a fall, or a fall a rise", () => {
    expect(toTurns(5, 5, 5)).toBe(0);
    expect(toTurns(-5, 5)).toBe(1);
    expect(toTurns(5, -5, 5)).toBe(SERIAL_TURNS);
    expect(toTurns(5, -5, -5, 5, 5)).toBe(2);
  });

  it("let MEV be switched on and off without a turn", () => {
    expect(toTurns(null, null, null)).toBe(0);
    expect(toTurns(5, null, 5)).toBe(0);
    expect(toTurns(5, null, -5)).toBe(1);
  });

  it("look at inflation and MEV each for itself", () => {
    const events = toEvents({ delta: 5 }, { source: "MEV", delta: -5 }, { delta: 5 }, { source: "MEV", delta: -5 });
    expect(toMarks(events).get("A")).toMatchObject({ changes: 4, turns: 0 });
  });
});
