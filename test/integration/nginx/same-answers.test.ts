import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../generator/contract/operations.ts";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { LATEST_EPOCH, toPubkey } from "../../proxy/fixtures.ts";
import { HOSTILE_PATHS, HOSTILE_TEXTS } from "../../proxy/fuzz/hostile.ts";
import { hasNginx, startEdge, type Answer, type Edge, type Question } from "./_edge.ts";

/** Differ on purpose: by connection, by time, or nginx's own. */
const OWN_HEADERS = [
  "date",
  "connection",
  "keep-alive",
  "server",
  "vary",
  "x-cache",
  "x-request-id",
];
const CLIENT_HEADERS = ["x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit"];

const EPOCH = {
  epoch: LATEST_EPOCH,
  slotIndex: 2_000,
  slotsInEpoch: 432_000,
  absoluteSlot: LATEST_EPOCH * 432_000 + 2_000,
};
const KNOWN = toPubkey(1);
const PLACES: Record<string, string> = {
  votePubkey: KNOWN,
  pubkey: KNOWN,
  network: "mainnet",
  feed: "rug",
  month: PARAMETERS.month.example,
};

/** Of paths that are nothing without. */
const NEEDED: Record<string, string> = {
  [OPERATIONS.search.path]: "?q=validator",
  [OPERATIONS.watchFeed.path]: `?votes=${KNOWN}`,
};

const PATHS = Object.values(OPERATIONS).map(({ path }) =>
  `${path}${NEEDED[path] ?? ""}`.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === "epoch"
      ? String(path.startsWith("/exports") ? LATEST_EPOCH - 1 : LATEST_EPOCH)
      : (PLACES[name] ?? name),
  ),
);

const QUERIES = [
  "/api/v1/validators?page=2&limit=7",
  "/api/v1/validators?limit=101",
  "/api/v1/validators?network=devnet",
  "/api/v1/events?epochs=50&severity=RUG",
  "/api/v1/events?severity=rug",
  "/api/v1/stats/rugs-per-epoch?epochs=3&offset=4",
  `/api/v1/validators/${KNOWN}/uptime?days=2`,
  `/api/v1/validators/${KNOWN}/uptime?days=0`,
  "/api/v1/search?q=validator",
  "/api/v1/search?q=Validator%201",
  "/api/v1/search?q=Validator+1",
  "/api/v1/search?q=a",
  "/api/v1/search?q=%C3%A9t%C3%A9",
  "/api/v1/search?Q=validator",
  `/api/v1/search?q=${"x".repeat(3_000)}`,
  `/api/v1/validators/${toPubkey(77)}`,
  `/api/v1/validators/${toPubkey(77)}/events`,
  "/api/v1/validators/abc",
  "/api/v1/epochs/-1/events",
  "/api/v1/nothing",
  "/api/v2/validators",
  "/api",
  "/",
  "/healthz",
  "/readyz",
  "/metrics",
];

const OTHERS: [path: string, question: Question][] = [
  ["/api/v1/validators", { method: "HEAD" }],
  ["/api/v1/validators", { method: "OPTIONS", headers: { origin: "https://page.example" } }],
  ["/api/v1/validators", { method: "POST", body: "a short body" }],
  ["/api/v1/validators", { method: "DELETE" }],
  ["/api/v1/nothing", { method: "PUT", body: "a body" }],
  ["/api/v1/validators", { headers: { "if-match": '"other"' } }],
  ["/api/v1/validators", { headers: { "if-match": "*" } }],
  ["/api/v1/validators", { headers: { "if-unmodified-since": "Sat, 21 Nov 2020 00:00:00 GMT" } }],
  ["/api/v1/validators", { headers: { "if-modified-since": "Sat, 21 Nov 2099 00:00:00 GMT" } }],
  ["/api/v1/validators", { headers: { "if-none-match": "*" } }],
  ["/api/v1/validators", { headers: { range: "bytes=0-9" } }],
  ["/api/v1/validators", { headers: { accept: "text/html", "x-forwarded-host": "evil.example" } }],
];

describe.skipIf(!hasNginx)("through nginx and from the proxy alone", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge({ perMinute: 60 });
    edge.world.readEpoch = () => Promise.resolve(EPOCH);
  });
  afterAll(async () => edge.close());

  const questions = [...PATHS, ...QUERIES].map((path): [string, Question] => [path, {}]);

  it.each([...questions, ...OTHERS])(
    "%s is answered the same, asked by %j",
    async (path, question) => {
      const [through, alone] = [
        await edge.ask(path, question),
        await edge.askProxy(path, question),
      ];
      const besides = through.headers["x-cache"] === "HIT" ? CLIENT_HEADERS : [];
      expect(toComparable(through, besides)).toEqual(toComparable(alone, besides));
      expect(through.headers["x-cache"]).toBeTypeOf("string");
    },
  );

  it("all are well answered that are endpoints", async () => {
    const statuses = new Set(
      await Promise.all(PATHS.map(async (path) => (await edge.ask(path)).status)),
    );
    expect([...statuses]).toEqual([200]);
  });

  it("the second answer differs from the first in what is left of the limit alone", async () => {
    for (const path of PATHS) {
      const [first, second] = [await edge.ask(path), await edge.ask(path)];
      expect(toComparable(second, CLIENT_HEADERS)).toEqual(toComparable(first, CLIENT_HEADERS));
      expect(second.headers["x-cache"], path).toBe("HIT");
      expect(CLIENT_HEADERS.filter((name) => name in second.headers)).toEqual([]);
    }
  });

  it("hostile targets are answered the same, where they reach it", async () => {
    const inQuery = HOSTILE_TEXTS.map((text) => encodeURIComponent(text.toWellFormed()));
    const targets = [
      ...HOSTILE_PATHS.filter((path) => path.startsWith("/")),
      ...inQuery.flatMap((text) => [
        `/api/v1/search?q=${text}`,
        `/api/v1/validators?${text}=1`,
        `/api/v1/${text}`,
      ]),
    ];
    for (const target of targets) await expectSame(target);
  });

  it("what others asked before, in any spelling, changes nothing", async () => {
    const name = fc.constantFrom(
      "network",
      "Network",
      "%6eetwork",
      "page",
      "PAGE",
      "limit",
      "x",
      "limit[]",
      "q",
      "",
    );
    const value = fc.constantFrom(
      "mainnet",
      "testnet",
      "%74estnet",
      "1",
      "2",
      "02",
      "",
      "a%26limit=1",
      "+2",
      "2%00",
    );
    const pair = fc
      .tuple(name, fc.constantFrom("=", "=", "=", "", "=="), value)
      .map((parts) => parts.join(""));
    const path = fc.constantFrom(
      "validators",
      "x/../validators",
      "%76alidators",
      "/validators",
      "validators#",
    );
    const query = fc.tuple(fc.array(pair, { maxLength: 4 }), fc.constantFrom("&", "&", "&&", ";"));
    const target = fc
      .tuple(path, query)
      .map(([at, [pairs, by]]) => `/api/v1/${at}?${pairs.join(by)}`);
    await fc.assert(fc.asyncProperty(target, expectSame), { numRuns: 400 });
  });

  async function expectSame(target: string): Promise<void> {
    const [through, alone] = [await edge.ask(target), await edge.askProxy(target)];
    // nginx has no path for what leaves the root or cannot be decoded.
    if (through.body.includes("did not reach the API") && alone.status >= 400) return;
    expect(toComparable(through, CLIENT_HEADERS), target).toEqual(
      toComparable(alone, CLIENT_HEADERS),
    );
  }
});

function toComparable({ status, headers, body }: Answer, besides: readonly string[] = []) {
  const left = Object.entries(headers).filter(
    ([name]) => ![...OWN_HEADERS, ...besides].includes(name),
  );
  return { status, headers: Object.fromEntries(left.toSorted()), body: body.toString("latin1") };
}
