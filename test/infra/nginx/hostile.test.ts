import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_PATHS, HOSTILE_TEXTS } from "../../proxy/fuzz/hostile.ts";
import { hasNginx, startEdge, type Edge } from "./_edge.ts";

const inQuery = HOSTILE_TEXTS.map((text) => encodeURIComponent(text.toWellFormed()));
const TARGETS = [
  ...HOSTILE_PATHS.filter((path) => path.startsWith("/")),
  ...inQuery.flatMap((text) => [`/api/v1/search?q=${text}`, `/api/v1/validators?${text}=1`, `/api/v1/${text}`]),
];

describe.skipIf(!hasNginx)("a hostile request", () => {
  let edge: Edge;
  beforeAll(async () => {
    edge = await startEdge();
  });
  afterAll(async () => edge.close());

  it("is answered as the proxy alone would, where it reaches it", async () => {
    const differences: unknown[] = [];
    for (const target of TARGETS) {
      const [through, alone] = [await edge.ask(target), await edge.askProxy(target)];
      // nginx has no path for what leads out of the root, or does not decode.
      if (through.body.includes("bad_request") && alone.status >= 400) continue;
      if (through.status !== alone.status || !through.body.equals(alone.body))
        differences.push({ target, through, alone });
    }
    expect(differences).toEqual([]);
  });

  it("changes nothing of what others get", async () => {
    const plain = "/api/v1/validators?limit=2";
    const alone = (await edge.askProxy(plain)).body.toString();
    const confusing = [
      "?limit=2&limit=3",
      "?Limit=3&limit=2",
      "?limit=2&%6cimit=3",
      "?limit=2;limit=3",
      "?limit=2%26x",
    ];
    for (const query of confusing) await edge.ask(`/api/v1/validators${query}`);
    for (const path of [
      "/api/v1/x/../validators?limit=2",
      "/api//v1/validators?limit=2",
      "/api/v1/%76alidators?limit=2",
    ])
      await edge.ask(path);
    await edge.ask(plain, { headers: { host: "evil.example", "x-forwarded-for": "1.2.3.4", accept: "text/html" } });
    expect((await edge.ask(plain)).body.toString()).toBe(alone);
  });

  it("made up of parameters in any spelling gets what the proxy alone says, whatever was cached before", async () => {
    const name = fc.constantFrom(
      "network",
      "Network",
      "%6eetwork",
      "page",
      "PAGE",
      "limit",
      "x",
      "X",
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
      "3",
      "",
      "a%26limit=1",
      "+2",
      "2%00",
    );
    const pair = fc.tuple(name, fc.constantFrom("=", "=", "=", "", "=="), value).map((parts) => parts.join(""));
    const query = fc.tuple(fc.array(pair, { maxLength: 4 }), fc.constantFrom("&", "&", "&&", ";"));
    const property = fc.asyncProperty(query, async ([pairs, separator]) => {
      const target = `/api/v1/validators?${pairs.join(separator)}`;
      const [through, alone] = [await edge.ask(target), await edge.askProxy(target)];
      expect([through.status, through.body.toString()], target).toEqual([alone.status, alone.body.toString()]);
    });
    await fc.assert(property, { numRuns: 400 });
  });
});
