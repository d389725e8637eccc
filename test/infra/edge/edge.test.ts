import { base58 } from "@scure/base";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { ERROR_CODES } from "../../../generator/contract/errors.ts";
import { toPubkey } from "../../proxy/fixtures.ts";
import { openEdgeFunction, type EdgeFunction } from "./_function.ts";
import { EDGE_CASES, type Decision, type EdgeCase } from "./cases.ts";

let edge: EdgeFunction;
beforeAll(async () => {
  edge = await openEdgeFunction();
});

describe("the edge function", () => {
  it.each(EDGE_CASES)("decides about $method $target: $decided", ({ target, method, decided }) => {
    expect(toDecision(target, method)).toEqual(method === "HEAD" ? withoutMessage(decided) : decided);
  });

  it.each(Object.values(OPERATIONS).map(({ path }) => path))("has a case of %s that is no error", (path) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}(?:\\?.*)?$`);
    const isCase = ({ target, decided }: EdgeCase) =>
      pattern.test(target) && ("object" in decided || "proxy" in decided);
    expect(EDGE_CASES.filter(isCase)).not.toEqual([]);
  });

  it("answers errors in the API's envelope, without a body to HEAD", () => {
    const { response } = edge("/api/v1/validators?limit=0") as {
      response: { headers: object; statusDescription: string };
    };
    expect(response.statusDescription).toBe("Bad Request");
    expect(response.headers).toMatchObject({
      "cache-control": { value: "no-store" },
      "content-type": { value: "application/json; charset=utf-8" },
      "access-control-allow-origin": { value: "*" },
      "x-ratelimit-limit": { value: "60" },
      "x-content-type-options": { value: "nosniff" },
    });
    expect(edge("/api/v1/validators?limit=0", "HEAD")).toMatchObject({ response: { statusCode: 400 } });
    expect(edge("/api/v1/validators?limit=0", "HEAD")).not.toHaveProperty("response.body");
  });

  it("allows what it answers to OPTIONS, and says so with a 405", () => {
    const allow = { value: "GET, HEAD, OPTIONS" };
    expect(edge("/api/v1/epoch", "OPTIONS")).toMatchObject({
      response: { statusCode: 204, headers: { allow, "access-control-allow-methods": allow } },
    });
    expect(edge("/api/v1/epoch", "POST")).toMatchObject({ response: { statusCode: 405, headers: { allow } } });
    expect(edge("/api/v1/nothing", "POST")).not.toHaveProperty("response.headers.allow");
  });

  it("gives out the index where CloudFront has put its default root object in the place of /", () => {
    expect(edge("/index.html")).toEqual(edge("/"));
  });

  it("takes for a vote account what is Base58 of 32 bytes, and nothing else", () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 30, maxLength: 34 }),
      // Next to the smallest and the largest number of each length, with zeros before them.
      fc
        .tuple(
          fc.nat({ max: 33 }),
          fc.integer({ min: 30, max: 34 }),
          fc.constantFrom(0, 1, 255),
          fc.constantFrom(0, 255),
        )
        .map(([zeros, length, first, rest]) =>
          Uint8Array.from({ length }, (_, at) => (at < zeros ? 0 : at === zeros ? first : rest)),
        ),
    );
    fc.assert(
      fc.property(bytes, (key) => {
        const answer = edge(`/api/v1/validators/${base58.encode(key)}`);
        expect("uri" in answer).toBe(key.length === 32);
      }),
      { numRuns: 5_000 },
    );
  });

  it("takes no text for a vote account that does not decode to 32 bytes", () => {
    const digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".split("");
    const texts = fc.string({ unit: fc.constantFrom(...digits), minLength: 31, maxLength: 45 });
    fc.assert(
      fc.property(texts, (text) => {
        const isKey = text.length <= 44 && base58.decode(text).length === 32;
        expect("uri" in edge(`/api/v1/validators/${text}`)).toBe(isKey);
      }),
      { numRuns: 5_000 },
    );
  });

  it("is not brought down by any path or query", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "%", "%u1234", "&=&", "\\..\\"));
    fc.assert(
      fc.property(text, text, (path, query) => {
        const answer = edge(`/api/v1/validators/${path.replaceAll("?", "")}/uptime?days=${query}`);
        expect("uri" in answer || answer.response.statusCode >= 400).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes one question for one, however it is asked", () => {
    const spellings = ["?page=2&limit=3", "?limit=3&page=2", "?x&limit=%33&&page=2", "?page=2&limit=3&network=mainnet"];
    const asked = spellings.map((query) => edge(`/api/v1/validators${query}`));
    expect(new Set(asked.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(edge(`/api/v1/validators/${toPubkey(1)}?a=b`)).toEqual(edge(`/api/v1/validators/${toPubkey(1)}`));
  });
});

function toDecision(target: string, method: string): Decision | { error: string } {
  const answer = edge(target, method);
  if ("response" in answer) {
    const { statusCode, body } = answer.response;
    if (statusCode === 204) return { preflight: true };
    const { code, message } = body === undefined ? { code: statusCode, message: null } : toError(body.data);
    if (typeof code === "string") expect(statusCode).toBe(ERROR_CODES[code as keyof typeof ERROR_CODES]);
    return { error: code, message } as Decision;
  }
  const { uri, query } = answer;
  const isObject = /^\/(?:feeds|exports)\/|^\/api\/v1\/(?:mainnet|testnet|alpenglow)\//.test(uri);
  if (isObject && query === "") return { object: uri.slice(1) };
  if (uri.startsWith("/api/v1/")) return { proxy: query === "" ? uri : `${uri}?${query}` };
  expect(query).toBe("");
  return { file: uri };
}

function toError(body: string): { code: string; message: string } {
  return (JSON.parse(body) as { error: { code: string; message: string } }).error;
}

/** All that an answer to HEAD tells of an error is its status. */
function withoutMessage(decided: Decision): unknown {
  return "error" in decided ? { error: ERROR_CODES[decided.error], message: null } : decided;
}
