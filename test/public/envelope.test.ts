import { describe, expect, it } from "vitest";
import { type Problem, readEnvelope, toSentence } from "../../public/api/client.ts";

const ok = { status: 200, retryAfter: null };

describe("an answer of the API", () => {
  it("is a document where it has data and names the network asked for", () => {
    const body = { data: [], meta: { network: "testnet" } };
    expect(readEnvelope({ ...ok, body }, "testnet")).toEqual({ document: body });
  });

  it.each([
    ["nothing", null],
    ["a list", []],
    ["no data", { meta: { network: "testnet" } }],
    ["no meta", { data: [] }],
    ["another network's", { data: [], meta: { network: "mainnet" } }],
    ["an error", { error: { code: "not_found", message: "…" } }],
  ])("is unreadable with 200 and %s", (_, body) => {
    expect(readEnvelope({ ...ok, body }, "testnet")).toEqual({ problem: { kind: "unreadable" } });
  });

  it("is any object where it is of no network, and nothing else", () => {
    const body = { openapi: "3.1.1" };
    expect(readEnvelope({ ...ok, body }, null)).toEqual({ document: body });
    expect(readEnvelope({ ...ok, body: null }, null)).toEqual({ problem: { kind: "unreadable" } });
  });

  it("is refused with what the error says, and with when to ask again", () => {
    const body = { error: { code: "rate_limited", message: "More than 60 requests in a minute: try again in 7 s." } };
    const { problem } = readEnvelope({ status: 429, retryAfter: "7", body }, "mainnet") as { problem: Problem };
    expect(problem).toMatchObject({ kind: "refused", code: "rate_limited", retryAfterSeconds: 7 });
    expect(toSentence(problem)).toBe(body.error.message);
  });

  it("is unreadable where a stranger answers with an error of his own", () => {
    const problem = { kind: "unreadable" };
    expect(readEnvelope({ status: 502, retryAfter: null, body: null }, "mainnet")).toEqual({ problem });
    expect(readEnvelope({ status: 500, retryAfter: "soon", body: { error: "no" } }, "mainnet")).toEqual({ problem });
  });
});
