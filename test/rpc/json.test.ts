import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseExactJson, U64_MAX, u64Schema } from "../../generator/rpc/json.ts";

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

  it("makes no bigint of more digits than any number of the chain has", () => {
    const digits = "9".repeat(41);
    expect(parseExactJson(`[${digits}, ${digits.slice(1)}]`)).toEqual([1e41, BigInt(digits.slice(1))]);
    expect(u64Schema.safeParse(parseExactJson(digits)).success).toBe(false);
  });

  it("takes the last of a key that stands twice", () => {
    expect(parseExactJson('{"a":1,"a":18446744073709551615}')).toEqual({ a: U64_MAX });
  });

  it("keeps a key named __proto__ as any other, and changes no prototype", () => {
    const parsed = parseExactJson('{"__proto__":{"polluted":9007199254740993}}') as object;
    expect(Object.keys(parsed)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it.each(["<html>", "", "\uFEFF1", "1 2", "{'a':1}", "[1,]"])("throws on %j, which is no JSON", (text) => {
    expect(() => parseExactJson(text)).toThrow(SyntaxError);
  });

  it("throws on nesting deeper than the stack, and goes on afterwards", () => {
    const depth = 1_000_000;
    expect(() => parseExactJson("[".repeat(depth) + "]".repeat(depth))).toThrow(RangeError);
    expect(parseExactJson("[[1]]")).toEqual([[1]]);
  });
});
