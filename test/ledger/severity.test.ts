import { describe, expect, it } from "vitest";
import { inflationSeverity, mevSeverity } from "../../generator/ledger/severity.ts";

/** The published rules of severity, written from the text and not from the code. */
const percentStep = 50;
const rates = Array.from({ length: 10_000 / percentStep + 1 }, (_, index) => index * percentStep);

describe("severity over its whole domain", () => {
  it("gives every change of the inflation commission the severity of the table", () => {
    for (const from of rates) {
      for (const to of rates) {
        const expected = to >= 9000 && to > from ? "RUG" : to - from >= 1000 && to < 9000 ? "CAUTION" : "INFO";
        expect(inflationSeverity(from, to), `${from}→${to}`).toBe(expected);
      }
    }
  });

  it("gives every change of an enabled MEV commission the severity of the table", () => {
    for (const from of rates) {
      for (const to of rates) {
        const expected = to >= 9000 && to > from ? "RUG" : to - from >= 2000 && to < 9000 ? "CAUTION" : "INFO";
        expect(mevSeverity(from, to), `${from}→${to}`).toBe(expected);
      }
    }
  });

  it.each([
    ["disabled", 9000, "CAUTION"],
    ["disabled", 10_000, "CAUTION"],
    ["disabled", 8999, "INFO"],
    ["disabled", 0, "INFO"],
    [null, 10_000, "CAUTION"],
    [null, 8999, "INFO"],
    [0, "disabled", "INFO"],
    [10_000, "disabled", "INFO"],
    ["disabled", "disabled", "INFO"],
  ] as const)("gives MEV %s→%s the severity %s", (from, to, severity) => {
    expect(mevSeverity(from, to)).toBe(severity);
  });

  it.each([
    [8999, 9000, "RUG"],
    [9999, 10_000, "RUG"],
    [10_000, 9000, "INFO"],
    [0, 8999, "CAUTION"],
    [0, 1000, "CAUTION"],
    [0, 999, "INFO"],
    [7950, 8950, "CAUTION"],
  ] as const)("draws the lines of inflation where the design draws them: %s→%s is %s", (from, to, severity) => {
    expect(inflationSeverity(from, to)).toBe(severity);
  });
});
