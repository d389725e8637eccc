import { describe, expect, it } from "vitest";
import { INSTEAD, type Methods, type TestServer } from "../../rpc/rpc-server.ts";
import { entryOf, observe, reasonOf } from "../observing.ts";
import { HEAD, historyNode, read, search, signatureOf, type Row } from "./history-node.ts";

/** One a slot, from the newest down. */
const rowsDown = (count: number, { from = HEAD, first = 0 } = {}): Row[] =>
  Array.from({ length: count }, (_, at) => ({
    signature: signatureOf(first + at),
    slot: from - at,
    err: null,
  }));

async function list(rows: unknown, change: Parameters<typeof search>[0] = {}) {
  const node = Array.isArray(rows)
    ? historyNode({ rows: rows as Row[], results: new Map() })
    : { ...historyNode(), ...(rows as Methods) };
  const { observer, nodes } = await observe([node]);
  const observed = await read(observer, search(change));
  return { observed, pages: pagesOf(nodes[0]) };
}

const pagesOf = (node: TestServer | undefined) =>
  (node?.asked ?? []).flatMap(({ body }) =>
    body?.method === "getSignaturesForAddress"
      ? [body.params?.[1] as { limit: number; before?: string }]
      : [],
  );

async function answerOf(rows: unknown, change: Parameters<typeof search>[0] = {}) {
  const { observed, pages } = await list(rows, change);
  const entry = entryOf(observed);
  return { answer: entry.searches[0]!.answers[0], found: entry.transactions.length, pages };
}

describe("a list of signatures", () => {
  const ok = { state: "ok", after: 1_000, upTo: HEAD };
  /** Asked for anew from the top: who answers then need not know where the short one ended. */
  const longer = [{ limit: 25 }, { limit: 1_000 }];
  it.each<[string, number, { transactionsMax?: number; after?: number }, object, number, object[]]>(
    [
      ["that is short", 24, {}, ok, 24, [{ limit: 25 }]],
      ["without a row", 0, {}, ok, 0, [{ limit: 25 }]],
      [
        "that soon reaches the slot asked for",
        400,
        { after: HEAD - 24 },
        { ...ok, after: HEAD - 24 },
        24,
        [{ limit: 25 }],
      ],
      ["that is longer than a short page", 60, {}, ok, 60, longer],
      ["of as many transactions as may be", 30, { transactionsMax: 30 }, ok, 30, longer],
      [
        "of one more than may be",
        30,
        { transactionsMax: 29 },
        { state: "busy", rows: 30 },
        0,
        longer,
      ],
      [
        "of too many in its first rows",
        30,
        { transactionsMax: 24 },
        { state: "busy", rows: 25 },
        0,
        [{ limit: 25 }],
      ],
    ],
  )(
    "%s is asked for no more often than it must",
    async (_, count, change, answer, found, pages) => {
      const read = await answerOf(rowsDown(count), change);
      expect(read).toMatchObject({ answer, found, pages });
      expect(read.pages.some((page) => "before" in page)).toBe(false);
    },
  );

  it("that is long is read page by page, down to the slot asked for", async () => {
    const rows = rowsDown(2_300, { from: 3_000 });
    const head = {
      getEpochInfo: { absoluteSlot: 3_000, epoch: 10, slotIndex: 0, slotsInEpoch: 300 },
    };
    const node = { ...historyNode({ rows, results: new Map(), head: 3_000 }), ...head };
    const { observer, nodes } = await observe([node]);
    const searches = [search({ after: 2_999, upTo: null }), search({ after: 900, upTo: 950 })];
    const entry = entryOf(await read(observer, ...searches));
    expect(entry.searches.map(({ answers }) => answers[0])).toEqual([
      { state: "ok", after: 2_999, upTo: 3_000 },
      { state: "ok", after: 900, upTo: 950 },
    ]);
    expect(entry.searches.map(({ transactions }) => transactions.length)).toEqual([1, 50]);
    const pages = pagesOf(nodes[0]).filter(({ limit }) => limit === 1_000);
    expect(pages.map(({ before }) => before)).toEqual([
      undefined,
      signatureOf(999),
      signatureOf(1_999),
    ]);
  });

  it("that does not end is left after five pages", async () => {
    const read = await answerOf(
      rowsDown(5_001).map((row) => ({ ...row, slot: HEAD, err: "AccountInUse" })),
    );
    expect(read).toMatchObject({ answer: { state: "busy", rows: 5_000 }, found: 0 });
    expect(read.pages.map(({ limit }) => limit)).toEqual([25, 1_000, 1_000, 1_000, 1_000, 1_000]);
  });

  it("that goes on with nothing after a full page is not taken for complete", async () => {
    const { observed } = await list({
      getSignaturesForAddress: ([, { limit, before }]: [
        string,
        { limit: number; before?: string },
      ]) =>
        before === undefined
          ? rowsDown(limit).map((row) => ({ ...row, slot: HEAD, err: "failed" }))
          : [],
    });
    expect(reasonOf(observed)).toContain("the list has nothing after");
  });

  it("of slots beyond those asked for says nothing of them", async () => {
    const read = await answerOf([
      { signature: signatureOf(1), slot: HEAD + 1, err: null },
      ...rowsDown(1),
    ]);
    expect(read).toMatchObject({ answer: { state: "ok", upTo: HEAD }, found: 1 });
  });
});

describe("a list of signatures is not believed", () => {
  const [one, two] = rowsDown(2) as [Row, Row];
  it.each<[string, unknown, string]>([
    ["in the wrong order", [two, one], `slot ${HEAD} after slot ${HEAD - 1}`],
    ["that names one twice", [one, one], "twice"],
    [
      "with a signature that is none",
      [{ ...one, signature: "0".repeat(88) }],
      "not a Base58 signature of 64 bytes",
    ],
    [
      "with a signature of 63 bytes",
      [{ ...one, signature: "2".repeat(86) }],
      "not a Base58 signature of 64 bytes",
    ],
    [
      "with an endless signature",
      [{ ...one, signature: "2".repeat(100_000) }],
      "not a Base58 signature of 64 bytes",
    ],
    ["with a signature of another type", [{ ...one, signature: 7 }], "expected string"],
    ["with a slot of another type", [{ ...one, slot: "1229" }], "expected number"],
    ["with half a slot", [{ ...one, slot: 1_229.5 }], "expected int"],
    ["with a slot before all others", [{ ...one, slot: -1 }], "expected number to be >=0"],
    ["with a row of nothing", [null], "expected object"],
    ["with more rows than were asked for", rowsDown(26), "<=25 items"],
    ["of a hundred thousand rows", new Array(100_000).fill(1), "<=25 items"],
    ["that is none", null, "expected array"],
    ["that is a text", "[]", "expected array"],
  ])("%s", async (_, getSignaturesForAddress, reason) => {
    const { observed } = await list({ getSignaturesForAddress });
    expect(reasonOf(observed)).toContain(reason);
  });

  it("of many megabytes", async () => {
    const { observed } = await list({
      getSignaturesForAddress: [{ ...one, memo: "x".repeat(4_000_000) }],
    });
    expect(reasonOf(observed)).toContain("longer than 4000000 bytes");
  });
});

it("a node that allows no more for now is asked again after the time it asks for", async () => {
  let isLimited = true;
  const limiting: Methods[typeof INSTEAD] = (response, { body }) => {
    const isRefused = body?.method === "getTransaction" && isLimited;
    if (isRefused) response.writeHead(429, { "retry-after": "7" }).end();
    isLimited &&= !isRefused;
    return isRefused;
  };
  const { observer, clock } = await observe([{ ...historyNode(), [INSTEAD]: limiting }]);
  const entry = entryOf(await read(observer, search()));
  expect(entry.transactions.map(({ answers }) => answers[0]?.state)).toEqual([
    "ok",
    "ok",
    "ok",
    "ok",
  ]);
  expect(clock.slept).toContain(7_000);
});
