import { describe, expect, it } from "vitest";
import { toCounted, toExactSol, toPercent, toSharePercent, toShortSol } from "../../public/format/values.ts";

describe("an amount of stake", () => {
  it.each([
    ["0", "0.00"],
    ["1", "< 0.01"],
    ["9999999", "< 0.01"],
    ["10000000", "0.01"],
    ["1500000000", "1.50"],
    ["99994999999", "99.99"],
    ["100500000000", "101"],
    ["9999499999999", "9,999"],
    ["10000000000000", "10.0k"],
    ["901349999999999", "901.3k"],
    ["1000000000000000", "1.00M"],
    ["12345678000000000", "12.35M"],
    ["412345678901234567890", "412.35B"],
  ])("of %s lamports is shown as %s", (lamports, text) => {
    expect(toShortSol(lamports)).toBe(text);
  });

  it("is exact to the lamport where that is asked for, also beyond what a number holds", () => {
    expect(toExactSol("9007199254740993000000001")).toBe("9,007,199,254,740,993.000000001");
    expect(toExactSol("1234500000000")).toBe("1,234.5");
    expect(toExactSol("10000000000")).toBe("10");
  });
});

describe("other figures", () => {
  it("say what is not known", () => {
    expect([toPercent(7.5), toPercent(100), toPercent(null)]).toEqual(["7.5 %", "100 %", "not known"]);
  });

  it("have shares with as many decimals each, and none of nothing where there is something", () => {
    expect([33.3333, 19.5, 0.005, 0.0049, 0].map(toSharePercent)).toEqual([
      "33.33 %",
      "19.50 %",
      "0.01 %",
      "< 0.01 %",
      "0.00 %",
    ]);
  });

  it("count one and many", () => {
    expect([toCounted(1, "event"), toCounted(1_200, "event"), toCounted(2, "entity", "entities")]).toEqual([
      "1 event",
      "1,200 events",
      "2 entities",
    ]);
  });
});
