import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAccountScanner } from "../../../generator/observe/stakes/account-scanner.ts";
import { delegation, toAnswer, toChunks, toPage, toSlice } from "./stakes.ts";
import { toJson } from "../../cluster/rpc/json.ts";

function scan(...chunks: (string | Uint8Array)[]) {
  const data: string[] = [];
  const scanner = createAccountScanner((bytes, start, end) => {
    data.push(Buffer.from(bytes.subarray(start, end)).toString());
  });
  for (const chunk of chunks) scanner.push(Buffer.from(chunk));
  return { data, whole: scanner.isComplete(), paginationKey: scanner.paginationKey() };
}

const PAGE = toJson({
  jsonrpc: "2.0",
  result: toPage([delegation(), delegation({ stake: 6n })], "next"),
  id: 1,
});
const SLICES = [toSlice(delegation()), toSlice(delegation({ stake: 6n }))];
const FOUND = { data: SLICES, whole: true, paginationKey: "next" };

describe("the scanner of an answer", () => {
  it("finds the same wherever the answer is cut in two", () => {
    for (let cut = 0; cut <= PAGE.length; cut++)
      expect(scan(PAGE.slice(0, cut), PAGE.slice(cut))).toEqual(FOUND);
  });

  it("takes no beginning of an answer for the whole", () => {
    for (let end = 0; end < PAGE.length; end++) expect(scan(PAGE.slice(0, end)).whole).toBe(false);
  });

  it.each(["x", "{}", '"', "]", '{"data":["AAAA"]}'])(
    "takes no answer for whole after which comes %s",
    (rest) => {
      expect(scan(`${PAGE}${rest}`).whole).toBe(false);
      expect(scan(PAGE, " \n", rest)).toMatchObject({ data: SLICES, whole: false });
      expect(scan(`${PAGE}\r\n `, " ")).toEqual(FOUND);
    },
  );

  it("finds in any pages, spelled and cut in any way, what a parser finds", () => {
    const data = fc.array(fc.base64String({ maxLength: 90 }), { maxLength: 8 });
    const paginationKey = fc.oneof(fc.string({ maxLength: 40, unit: "binary" }), fc.constant(null));
    const page = fc.record({ data, paginationKey, inContext: fc.boolean(), spaced: fc.boolean() });
    fc.assert(
      fc.property(page, fc.integer({ min: 1, max: 200 }), fc.boolean(), (one, size, keyFirst) => {
        const accounts = one.data.map((text) => ({
          pubkey: "data",
          account: { data: [text, "base64"], space: 1 },
        }));
        const key = { paginationKey: one.paginationKey };
        const value = keyFirst ? { ...key, accounts } : { accounts, ...key };
        const result = one.inContext ? { context: { slot: 1 }, value } : value;
        const text = JSON.stringify({ result, id: 1 }, null, one.spaced ? 2 : 0);
        const found = scan(...toChunks(text, size));
        expect(found).toEqual({ data: one.data, whole: true, paginationKey: one.paginationKey });
      }),
    );
  });

  it.each([
    ["a key with escaped letters", '{"result":[{"account":{"da\\u0074a":["AAAA","base64"]}}]}'],
    [
      "a key escaped throughout",
      '{"result":[{"account":{"\\u0064\\u0061\\u0074\\u0061":["AAAA","base64"]}}]}',
    ],
    ["spaces between", '{"result" : [ {"account"\n:\t{ "data" : [ "AAAA" , "base64" ] } } ] }'],
    [
      "a string that looks like data",
      '{"x":"\\"data\\":[\\"BBBB\\"]","account":{"data":["AAAA"]}}',
    ],
    ["a string with brackets", '{"x":"]}]}{[","account":{"data":["AAAA"]},"y":"{"}'],
    ["a string that ends in a backslash", '{"x":"\\\\","account":{"data":["AAAA"]}}'],
    ["the key's name as a value", '{"x":"data","y":["BBBB"],"account":{"data":["AAAA"]}}'],
    ["the key's name in a list", '["data",["BBBB"],{"data":["AAAA"]}]'],
    ["a list within the list", '{"data":[["BBBB"]],"account":{"data":["AAAA"]}}'],
    ["an object as data around the data", '{"data":{"parsed":1,"data":["AAAA"]}}'],
    [
      "an escaped key that is another",
      '{"dat\\u0062":["BBBB"],"\\u005cdata":["BBBB"],"account":{"data":["AAAA"]}}',
    ],
    ["an escape that JSON does not know", '{"dat\\x61":["BBBB"],"account":{"data":["AAAA"]}}'],
  ])("is not led astray by %s", (_, text) => {
    expect(scan(text)).toEqual({ data: ["AAAA"], whole: true, paginationKey: null });
  });

  it("finds all of a chunk larger than its window", () => {
    const text = toAnswer(Array.from({ length: 2_000 }, () => delegation()));
    expect(scan(text)).toMatchObject({ data: { length: 2_000 }, whole: true });
  });

  it("holds no more than a window of a string without end", () => {
    expect(() => scan(`{"result":"${"x".repeat(200_000)}`)).toThrow(
      /string longer than 65536 bytes/,
    );
  });
});

describe("the key of the next page", () => {
  it.each<[string, string, string | null]>([
    ["after the accounts", '{"result":{"accounts":[],"paginationKey":"k"}}', "k"],
    ["before the accounts", '{"result":{"paginationKey":"k","accounts":[{"account":{}}]}}', "k"],
    [
      "in the context's value",
      '{"result":{"context":{},"value":{"accounts":[],"paginationKey":"k"}}}',
      "k",
    ],
    ["escaped", '{"result":{"pagination\\u004bey":"a\\"\\u0062\\/"}}', 'a"b/'],
    ["null", '{"result":{"accounts":[],"paginationKey":null}}', null],
    ["null at last", '{"result":{"paginationKey":"k","paginationKey":null}}', null],
    ["absent", '{"result":{"accounts":[]}}', null],
    [
      "of an account, which is none",
      '{"result":{"accounts":[{"account":{"paginationKey":"k"}}]}}',
      null,
    ],
    ["only named by a value", '{"result":["paginationKey","k"]}', null],
  ])("is found %s", (_, text, paginationKey) => {
    expect(scan(text)).toEqual({ data: [], whole: true, paginationKey });
  });

  it.each(["7", "true", "[]", "{}", '["k"]', `"${"k".repeat(257)}"`, '"\\x"'])(
    "is never %s",
    (value) => {
      expect(() => scan(`{"result":{"paginationKey":${value}}}`)).toThrow(/paginationKey is/);
    },
  );
});
