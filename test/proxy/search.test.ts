import { expect, it } from "vitest";
import { searchDocumentSchema, type SearchResult } from "../../generator/contract/search.ts";
import { describeProxy, readBody, readError, type Proxy } from "./_setup.ts";
import { makeIndex, makeUnlisted, makeValidator, publish, toPubkey, toStake } from "./fixtures.ts";

const NAMES = ["Beta Staking", "Beta", "Alphabeta", "Straße", "Ωmega ΣΑΣ", "Ｗide", 'a<b>&"c"'];

function publishNames() {
  const validators = NAMES.map((name, index) => makeValidator(index + 1, { name }));
  const unlisted = [makeUnlisted(200, { name: "Beta" }), makeUnlisted(201, { name: null, rank: null })];
  return [publish("index", {}, makeIndex({ validators, unlisted }))];
}

async function search(request: Proxy["request"], q: string): Promise<SearchResult[]> {
  const response = await request(`/api/v1/search?q=${encodeURIComponent(q)}`);
  return (await readBody(response, searchDocumentSchema)).data;
}

describeProxy("GET /api/v1/search", (open) => {
  it("puts exact matches before beginnings before parts, and listed validators before the others", async () => {
    const { request } = await open({ published: publishNames() });
    const names = (await search(request, "beta")).map(({ name, rank }) => `${name} ${rank}`);
    expect(names).toEqual(["Beta 2", "Beta Staking 1", "Alphabeta 3", "Beta 200"]);
  });

  it("answers with all that a result list shows", async () => {
    const { request } = await open({ published: publishNames() });
    const response = await request("/api/v1/search?q=alphabeta");
    expect(await readBody(response, searchDocumentSchema)).toEqual({
      data: [
        {
          votePubkey: toPubkey(3),
          name: "Alphabeta",
          iconUrl: null,
          identityPubkey: toPubkey(103),
          rank: 3,
          activeStake: toStake(19_999_999_999_999_998n),
          delinquent: false,
        },
      ],
      meta: { network: "mainnet", total: 1, query: "alphabeta" },
    });
  });

  it("finds a vote account whole, by its beginning and by a part, whatever the case", async () => {
    const { request } = await open();
    const key = toPubkey(7);
    for (const q of [key, key.toLowerCase(), key.slice(0, 12), key.slice(20, 34)]) {
      expect((await search(request, q)).map(({ votePubkey }) => votePubkey)).toContain(key);
    }
  });

  it("finds a validator that left the list, also one without a name", async () => {
    const { request } = await open({ published: publishNames() });
    const [found] = await search(request, toPubkey(201));
    expect(found).toMatchObject({ votePubkey: toPubkey(201), name: null, rank: null });
  });

  it.each(["straße", "STRASSE", "σας", "ΣΑΣ", "σασ"])("knows letters beyond ASCII: %s", async (q) => {
    const { request } = await open({ published: publishNames() });
    expect(await search(request, q)).toHaveLength(1);
  });

  it("gives at most 20, and counts what it gives", async () => {
    const { request } = await open();
    const { data, meta } = await readBody(await request("/api/v1/search?q=validator"), searchDocumentSchema);
    expect(data.map(({ rank }) => rank)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(meta).toEqual({ network: "mainnet", total: 20, query: "validator" });
  });

  it("says what it searched for: composed and trimmed", async () => {
    const { request } = await open();
    const { meta } = await readBody(await request("/api/v1/search?q=%20cafe%CC%81+%20"), searchDocumentSchema);
    expect(meta).toEqual({ network: "mainnet", total: 0, query: "café" });
  });

  it.each(["<script>", "\\\\", "..", "%%", "a".repeat(100), "a".repeat(1000), "😀😀", "\u0000\u0000", '"},{"'])(
    "finds nothing in %j and survives",
    async (q) => {
      const { request } = await open();
      expect(await search(request, q)).toEqual([]);
    },
  );

  it.each(["", "a", "😀", "%20a%20", "e%CC%81"])("refuses q=%s", async (q) => {
    const { request } = await open();
    const message = await readError(await request(`/api/v1/search?q=${q}`), 400, "invalid_parameter");
    expect(message).toMatch(/^q must be at least 2 characters, not "/);
  });

  it("refuses to search without q, or with two", async () => {
    const { request } = await open();
    const message = await readError(await request("/api/v1/search"), 400, "invalid_parameter");
    expect(message).toBe("q must be at least 2 characters, and is missing.");
    await readError(await request("/api/v1/search?q=abc&q=abc"), 400, "invalid_parameter");
  });

  it("survives what is no UTF-8", async () => {
    const { request } = await open();
    const { meta } = await readBody(await request("/api/v1/search?q=%ff%fe%E0%A4%A&%"), searchDocumentSchema);
    expect(meta).toMatchObject({ total: 0, query: expect.stringContaining("\ufffd") as string });
  });

  it("finds nothing in a network without data", async () => {
    const { request } = await open();
    const response = await request("/api/v1/search?q=validator&network=testnet");
    expect((await readBody(response, searchDocumentSchema)).meta).toEqual({
      network: "testnet",
      total: 0,
      query: "validator",
    });
  });
});
