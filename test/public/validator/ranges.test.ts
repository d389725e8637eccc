import { describe, expect, it } from "vitest";
import {
  readDays,
  readEpochs,
  takeNewest,
  toDayOptions,
  toEpochOptions,
} from "../../../public/pages/validator/NewestChoice.tsx";

describe("how much of a history is shown", () => {
  it("is what the address says, or else the default", () => {
    expect([readDays({ days: "7" }), readDays({ days: "all" }), readDays({})]).toEqual([7, "all", 90]);
    expect([readEpochs({ epochs: "30" }), readEpochs({ epochs: "all" })]).toEqual([30, "all"]);
    for (const text of ["0", "-1", "ALL", "1e3", "10000", ""]) expect(readEpochs({ epochs: text })).toBe(100);
  });

  it("can be chosen from the usual spans, whatever the address says, and all", () => {
    expect(toDayOptions(90)).toEqual([30, 90, 365, "all"]);
    expect(toDayOptions(45)).toEqual([30, 45, 90, 365, "all"]);
    expect(toEpochOptions("all")).toEqual([30, 100, "all"]);
  });

  it("is the newest of it", () => {
    expect(takeNewest([1, 2, 3], 2)).toEqual([2, 3]);
    expect(takeNewest([1, 2, 3], 9)).toEqual([1, 2, 3]);
    expect(takeNewest([1, 2, 3], "all")).toEqual([1, 2, 3]);
  });
});
