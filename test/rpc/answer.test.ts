import { describe, expect, it } from "vitest";
import { z } from "zod";
import fc from "fast-check";
import {
  parseAnswer,
  parseFailure,
  parseExactJson,
  U64_MAX,
  u64Schema,
} from "../../generator/rpc/answer.ts";
import { RpcError } from "../../generator/rpc/error.ts";

const parse = (text: string, schema: z.ZodType = z.number()) => parseAnswer(text, schema);

function failureOf(text: string, schema?: z.ZodType): RpcError {
  try {
    parse(text, schema);
  } catch (error) {
    if (error instanceof RpcError) return error;
    throw error;
  }
  throw new Error("the answer was taken");
}

describe("an answer", () => {
  it.each([
    ["as nodes write it", '{"jsonrpc":"2.0","result":7,"id":1}'],
    ["without an id", '{"result":7}'],
    ["with an error of null", '{"result":7,"error":null,"id":1}'],
    ["with members nobody knows", '{"result":7,"id":1,"__proto__":{"error":1},"constructor":2}'],
    ["that says a thing twice, the last time right", '{"result":"six","result":7,"id":1}'],
  ])("%s is taken", (_, text) => {
    expect(parse(text)).toBe(7);
  });

  it("may be null where the method says so", () => {
    expect(parse('{"result":null,"id":1}', z.number().nullable())).toBeNull();
    expect(failureOf('{"result":null,"id":1}').kind).toBe("shape");
  });

  it.each<[string, string, RegExp]>([
    ["an empty body", "", /^expected JSON, got 0 characters: ""$/],
    ["a page of HTML", "<html>sorry</html>", /^expected JSON, got 18 characters: "<html>sorry/],
    ["half an answer", '{"jsonrpc":"2.0","result":', /^expected JSON, got 26 characters/],
    ["two answers", '{"result":7,"id":1}{"result":8,"id":1}', /^expected JSON/],
    ["nesting without end", "[".repeat(200_000), /^expected JSON, got 200000 characters/],
    [
      "nesting that ends",
      "[".repeat(200_000) + "]".repeat(200_000),
      /^expected JSON, got 400000 characters/,
    ],
    ["the answer to another request", '{"result":7,"id":2}', /^the answer is to another request$/],
    ["the answer to a request of another kind", '{"result":7,"id":"1"}', /another request/],
  ])("is asked for again when it is %s", (_, text, message) => {
    expect(failureOf(text)).toMatchObject({
      kind: "body",
      message: expect.stringMatching(message) as string,
    });
  });

  it.each<[string, string, RegExp]>([
    [
      "a list",
      '[{"result":7,"id":1}]',
      /shape of the JSON-RPC answer: .*expected object, received array/,
    ],
    ["null", "null", /shape of the JSON-RPC answer/],
    ["a number", "7", /shape of the JSON-RPC answer/],
    ["without a result", '{"jsonrpc":"2.0","id":1}', /^the answer has no result$/],
    [
      "with another result",
      '{"result":{"__proto__":7},"id":1}',
      /shape of the result: .*number, received object/,
    ],
  ])("is not taken when it is %s", (_, text, message) => {
    expect(failureOf(text)).toMatchObject({
      kind: "shape",
      message: expect.stringMatching(message) as string,
    });
  });

  const listOf = (value: string, length: number) =>
    `{"id":1,"result":[${Array(length).fill(value).join(",")}]}`;
  it.each([
    ["0", 499_997],
    ["[]", 249_998],
    ["{}", 249_998],
  ])("may be half a million values, and no more: of %s %i times", (value, length) => {
    expect(parse(listOf(value, length), z.unknown())).toHaveLength(length);
    const more = listOf(value, length + 1);
    expect(failureOf(more)).toMatchObject({
      kind: "oversized",
      message: "the answer has more than 500000 values",
    });
  });

  it("cannot reach into the prototype of what is made of it", () => {
    const texts = parse(
      '{"result":{"__proto__":{"polluted":1},"a":2},"id":1}',
      z.record(z.string(), z.unknown()),
    );
    expect(texts).toEqual({ a: 2 });
    expect((texts as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("an answer with an error", () => {
  const withError = (error: unknown, rest: object = {}) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, error, ...rest });

  it("has no result, whatever else stands in it, and may be to no request in particular", () => {
    const expected = { kind: "rpc", code: -32_000, message: "error -32000: no" };
    const error = { code: -32_000, message: "no" };
    for (const rest of [{ result: 7 }, { id: null }])
      expect(failureOf(withError(error, rest))).toMatchObject(expected);
  });

  it.each<[string, unknown, Partial<RpcError>]>([
    ["its code as text", { code: "-32601", message: "no" }, { kind: "refused", code: -32_601 }],
    [
      "a code that is none",
      { code: "E_LIMIT", message: "no" },
      { kind: "rpc", code: 0, message: "error 0: no" },
    ],
    ["a code beyond all bounds", { code: 1e300, message: "no" }, { kind: "rpc", code: 0 }],
    ["no code", { message: "no" }, { kind: "rpc", code: 0 }],
    ["no message", { code: -32_000 }, { kind: "rpc", message: "error -32000: no message" }],
    [
      "a message that is none",
      { code: -32_000, message: { text: 1 } },
      { message: "error -32000: no message" },
    ],
    [
      "a text in its place",
      "Unauthorized",
      { kind: "rpc", code: 0, message: "error 0: Unauthorized" },
    ],
  ])("is understood with %s", (_, error, expected) => {
    expect(failureOf(withError(error))).toMatchObject(expected);
  });

  it.each<[string, number, string, RpcError["kind"]]>([
    ["a node behind", -32_005, "Node is behind by 200 slots", "behind"],
    [
      "a node behind the slot asked for",
      -32_016,
      "Minimum context slot has not been reached",
      "behind",
    ],
    [
      "a program left out of the indexes",
      -32_010,
      "excluded from account secondary indexes",
      "refused",
    ],
    [
      "no history of transactions",
      -32_011,
      "Transaction history is not available from this node",
      "refused",
    ],
    ["a method that is not there", -32_601, "Method not found", "refused"],
    [
      "a method that is switched off",
      410,
      "The RPC call or parameters have been disabled.",
      "refused",
    ],
    [
      "a scan put off for good",
      -32_000,
      "Request deprioritized, use getProgramAccountsV2",
      "refused",
    ],
    [
      "a program too large",
      -32_602,
      "Too many accounts requested, Please use getProgramAccountsV2",
      "refused",
    ],
    ["an answer too large", 413, "Payload too large", "refused"],
    ["an address shut out", 403, "Access forbidden", "forbidden"],
    ["a key that is none", 401, "Unauthorized", "forbidden"],
    ["too many requests", 429, "slow down", "limited"],
    [
      "too many requests in a provider's code",
      -32_007,
      "50/second request limit reached",
      "limited",
    ],
    ["too many requests in a code that means behind", -32_005, "Too Many Requests", "limited"],
    ["a request that is none", -32_600, "Invalid request", "rpc"],
    ["wrong parameters", -32_602, "Invalid param: WrongSize", "rpc"],
    ["a failure inside the node", -32_603, "Internal error", "rpc"],
    ["a slot that was skipped", -32_007, "Slot 5 was skipped", "rpc"],
  ])("names %s", (_, code, message, kind) => {
    expect(failureOf(withError({ code, message }))).toMatchObject({ kind, code });
  });
});

describe("an answer with a status of its own", () => {
  const of = (status: number, error?: { code: number; message: string }) =>
    parseFailure({
      status,
      text: error ? JSON.stringify({ error }) : "<html>",
      retryAfterMilliseconds: null,
    });

  it.each<[RpcError["kind"], number[]]>([
    ["http", [301, 400, 404, 500, 504]],
    ["forbidden", [401, 402, 403]],
    ["refused", [410, 413, 501]],
    ["limited", [429]],
  ])("is %s for %o", (kind, statuses) => {
    for (const status of statuses)
      expect(of(status)).toMatchObject({ kind, code: status, message: `HTTP status ${status}` });
  });

  it.each<[string, number, number, string, Partial<RpcError>]>([
    [
      "of 429 is one",
      429,
      -32_601,
      "no",
      { kind: "limited", message: "HTTP status 429: error -32601: no" },
    ],
    [
      "means less than the code in its body",
      500,
      -32_005,
      "Node is unhealthy",
      { kind: "behind", code: -32_005 },
    ],
    [
      "means less than the code in its body",
      500,
      -32_602,
      "Invalid param",
      { kind: "rpc", code: -32_602 },
    ],
    ["means less than the code in its body", 404, -32_601, "Method not found", { kind: "refused" }],
    ["means less than the code in its body", 403, 403, "Access forbidden", { kind: "forbidden" }],
    [
      "means more than nothing",
      503,
      -32_000,
      "oops",
      { kind: "http", code: 503, message: "HTTP status 503: error -32000: oops" },
    ],
  ])("%s: %i, %i", (_, status, code, message, expected) => {
    expect(of(status, { code, message })).toMatchObject(expected);
  });
});

describe("parseExactJson", () => {
  const exact = [38263229364446901n, U64_MAX, -9007199254740993n];
  const plain =
    '{"a":9007199254740991,"b":0.1,"c":1e300,"d":"18446744073709551615","e":null,"f":[true,-0]}';
  it.each<[string, string, unknown]>([
    [
      "integers beyond 2^53 exact as bigint",
      "[38263229364446901, 18446744073709551615, -9007199254740993]",
      exact,
    ],
    ["every other value as JSON.parse gives it", plain, JSON.parse(plain)],
    [
      "a fraction or power no integer",
      "[1.8446744073709552e19, 18446744073709551616.5]",
      [2 ** 64, 2 ** 64],
    ],
  ])("leaves %s", (_, text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  const fractions = '{"a":38263229364446901.5,"b":38263229364446901e2}';
  it.each<[string, string, unknown]>([
    [
      "small and large members",
      '{"a":1,"b":9007199254740991,"c":38263229364446901}',
      { a: 1, b: 2 ** 53 - 1, c: exact[0] },
    ],
    [
      "members of lists and of members",
      '[{"a":{"b":38263229364446901}}]',
      [{ a: { b: exact[0] } }],
    ],
    ["the last of two of a name", '{"a":38263229364446902,"a":38263229364446901}', { a: exact[0] }],
    [
      "members between spaces",
      '{ "a" : 38263229364446901 , "b":38263229364446901}',
      { a: exact[0], b: exact[0] },
    ],
    ["a fraction in a member", fractions, JSON.parse(fractions)],
    [
      "a text like a member",
      JSON.stringify({ a: ',"b":38263229364446901,' }),
      { a: ',"b":38263229364446901,' },
    ],
    [
      "a text after a backslash",
      JSON.stringify({ a: '\\,"b":38263229364446901,' }),
      { a: '\\,"b":38263229364446901,' },
    ],
  ])("reads %s", (_, text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });

  it("reads long numbers wherever they are, beside any text", () => {
    const long = fc.bigInt(2n ** 53n, U64_MAX);
    const digits = /"<(\d+)>"/g;
    const tree = fc.object({
      values: [fc.string(), fc.integer(), long.map((value) => `<${value}>`)],
      maxDepth: 3,
    });
    const toValue = (_key: string, value: unknown) =>
      typeof value === "string" && /^<\d+>$/.test(value) ? BigInt(value.slice(1, -1)) : value;
    fc.assert(
      fc.property(tree, (value) => {
        const text = JSON.stringify(value);
        expect(parseExactJson(text.replace(digits, "$1"))).toEqual(JSON.parse(text, toValue));
      }),
    );
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
    expect(parseExactJson(`[${digits}, ${digits.slice(1)}]`)).toEqual([
      1e41,
      BigInt(digits.slice(1)),
    ]);
    expect(u64Schema.safeParse(parseExactJson(digits)).success).toBe(false);
  });
});
