import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson, U64_MAX, u64Schema } from "../../generator/observe/json.ts";

describe("parseExactJson", () => {
  it("keeps integers beyond 2^53 exact as bigint", () => {
    expect(parseExactJson("[38263229364446901, 18446744073709551615, -9007199254740993]")).toEqual([
      38263229364446901n,
      U64_MAX,
      -9007199254740993n,
    ]);
  });

  it("leaves every other value as JSON.parse gives it", () => {
    const text = '{"a":9007199254740991,"b":0.1,"c":1e300,"d":"18446744073709551615","e":null,"f":[true,-0]}';
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it("does not make an exact integer of a number written as a fraction or power", () => {
    expect(parseExactJson("[1.8446744073709552e19, 18446744073709551616.5]")).toEqual([2 ** 64, 2 ** 64]);
  });

  it("round-trips any unsigned 64-bit number", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, U64_MAX), (value) => {
        expect(u64Schema.parse(parseExactJson(String(value)))).toBe(value);
      }),
    );
  });

  it.each(["-1", "18446744073709551616", "1.5", '"1"', "null"])("u64 refuses %s", (text) => {
    expect(u64Schema.safeParse(parseExactJson(text)).success).toBe(false);
  });

  it("throws on what is no JSON", () => {
    expect(() => parseExactJson("<html>")).toThrow(SyntaxError);
  });
});
