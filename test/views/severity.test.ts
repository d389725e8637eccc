import { describe, expect, it } from "vitest";
import { inflationSeverity, mevSeverity } from "../../generator/views/events/severity.ts";

describe("severity", () => {
  // The last three stand a basis point beside a bound.
  const rates = [...Array.from({ length: 201 }, (_, index) => index * 50), 999, 8999, 9999];

  it.each([
    ["inflation", inflationSeverity, 1000],
    ["enabled MEV", mevSeverity, 2000],
  ])("of every change of the %s commission is that of the rules", (_, severityOf, caution) => {
    for (const from of rates)
      for (const to of rates) {
        const expected =
          to >= 9000 && to > from ? "RUG" : to - from >= caution && to < 9000 ? "CAUTION" : "INFO";
        expect(severityOf(from, to), `${from}→${to}`).toBe(expected);
      }
  });

  it.each([
    ["disabled", 9000, "CAUTION"],
    ["disabled", 8999, "INFO"],
    [null, 10_000, "CAUTION"],
    [null, 8999, "INFO"],
    [0, "disabled", "INFO"],
    [10_000, "disabled", "INFO"],
    ["disabled", "disabled", "INFO"],
  ] as const)("of MEV %s→%s is %s", (from, to, severity) => {
    expect(mevSeverity(from, to)).toBe(severity);
  });
});
