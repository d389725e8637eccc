import { describe, expect, it } from "vitest";
import type { Epoch } from "../../generator/contract/epoch.ts";
import { joinPages } from "../../public/api/all-validators.ts";
import { type Problem, readEnvelope, toSentence } from "../../public/api/client.ts";
import { tellsTime, toReadAt } from "../../public/api/clock.ts";
import { toValidator } from "./told.ts";

describe("an answer of the API", () => {
  const ok = { status: 200, retryAfter: null };
  const unreadable = { problem: { kind: "unreadable" } };

  it.each([
    ["data of the network asked for", "testnet", { data: [], meta: { network: "testnet" } }],
    ["any object of no network", null, { openapi: "3.1.1" }],
  ] as const)("is a document where it is %s", (_, network, body) => {
    expect(readEnvelope({ ...ok, body }, network)).toEqual({ document: body });
  });

  it.each([
    ["nothing", "testnet", null],
    ["nothing, of no network", null, null],
    ["a list", "testnet", []],
    ["no data", "testnet", { meta: { network: "testnet" } }],
    ["no meta", "testnet", { data: [] }],
    ["another network's", "testnet", { data: [], meta: { network: "mainnet" } }],
    ["an error", "testnet", { error: { code: "not_found", message: "…" } }],
  ] as const)("is unreadable with 200 and %s", (_, network, body) => {
    expect(readEnvelope({ ...ok, body }, network)).toEqual(unreadable);
  });

  it("is refused with what the error says, and with when to ask again", () => {
    const body = {
      error: {
        code: "rate_limited",
        message: "More than 60 requests in a minute: try again in 7 s.",
      },
    };
    const { problem } = readEnvelope({ status: 429, retryAfter: "7", body }, "mainnet") as {
      problem: Problem;
    };
    expect(problem).toMatchObject({ kind: "refused", code: "rate_limited", retryAfterSeconds: 7 });
    expect(toSentence(problem)).toBe("Too many requests.");
    const other = { ...body, error: { ...body.error, code: "invalid_parameter" } };
    const refused = readEnvelope({ status: 400, retryAfter: null, body: other }, "mainnet");
    expect("problem" in refused && toSentence(refused.problem)).toBe(body.error.message);
  });

  it.each([
    { status: 502, body: null },
    { status: 500, body: { error: "no" } },
  ])("is unreadable where a stranger answers with an error of his own: %j", (raw) =>
    expect(readEnvelope({ retryAfter: "soon", ...raw }, "mainnet")).toEqual(unreadable),
  );
});

describe("the pages of the list put together", () => {
  const [OLD, NEW] = ["2026-10-01T00:00:00.000Z", "2026-10-01T00:10:00.000Z"];

  function toPage(
    page: number,
    ranks: Record<string, number>,
    { snapshotAt = OLD, listVersion = "first", total = 4 } = {},
  ) {
    const asOf = { snapshotAt, listVersion };
    const meta = { network: "mainnet" as const, page, limit: 2, total, totalPages: 2, ...asOf };
    const data = Object.entries(ranks).map(([votePubkey, rank]) =>
      toValidator({ votePubkey, rank }),
    );
    return { data, meta: { ...meta, networkStake: { lamports: "0", sol: 0 } } };
  }

  it("are one list by rank", () => {
    const { data, meta } = joinPages([toPage(2, { C: 3, D: 4 }), toPage(1, { A: 1, B: 2 })]);
    expect(data.map(({ votePubkey }) => votePubkey).join("")).toBe("ABCD");
    expect(meta).toEqual({ total: 4, snapshotAt: OLD, isMixed: false });
  });

  it("say that they are of two lists of one snapshot", () => {
    const pages = [toPage(1, { A: 1, B: 2 }), toPage(2, { C: 3, D: 4 }, { listVersion: "next" })];
    expect(joinPages(pages).meta).toEqual({ total: 4, snapshotAt: OLD, isMixed: true });
  });

  it("say that they are of two snapshots, and have who moved between them once, as the newer has it", () => {
    const pages = [
      toPage(1, { A: 1, C: 2 }, { snapshotAt: NEW, listVersion: "next", total: 5 }),
      toPage(2, { C: 3, D: 4 }),
    ];
    for (const { data, meta } of [pages, pages.toReversed()].map(joinPages)) {
      expect(data.map(({ votePubkey, rank }) => `${votePubkey}${rank}`)).toEqual([
        "A1",
        "C2",
        "D4",
      ]);
      expect(meta).toEqual({ total: 5, snapshotAt: NEW, isMixed: true });
    }
  });

  it("are none of a network without validators", () => {
    expect(joinPages([toPage(1, {}, { total: 0 })])).toMatchObject({
      data: [],
      meta: { total: 0, isMixed: false },
    });
  });
});

describe("an epoch", () => {
  const epochStartedAt = "2026-11-20T00:00:00.000Z";
  const times = { epochStartedAt, epochEndsAt: "2026-11-20T10:00:00.000Z" };
  const read = { ...times, slotIndex: 400, slotsInEpoch: 1_000 } as Epoch;

  it("tells by its slot when it was read", () => {
    expect(toReadAt(read)).toBe(Date.parse("2026-11-20T04:00:00.000Z"));
    expect(toReadAt({ ...read, epochStartedAt: null, epochEndsAt: null })).toBeNull();
  });

  it("tells no time once it is carried on to its last slot without the cluster", () => {
    const told = (live: boolean, slotIndex: number) => tellsTime({ ...read, live, slotIndex });
    expect([told(true, 400), told(false, 400), told(true, 999), told(false, 999)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
