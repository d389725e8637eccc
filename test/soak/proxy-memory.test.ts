import { hash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { base58 } from "@scure/base";
import { expect, it } from "vitest";
import { createApp } from "../../proxy/app.ts";
import { MemoryLimiter } from "../../proxy/limits/memory-limiter.ts";
import { DOCUMENTS_MAX_BYTES } from "../../proxy/cache/documents.ts";
import { ANSWERS_MAX_BYTES } from "../../proxy/cache/snapshots.ts";
import { toRequest } from "../proxy/_setup.ts";
import { makeIndex, MAINNET, makeUnlisted, publish, SEEN_AT } from "../proxy/fixtures.ts";

const KINDS: ((n: number) => string)[] = [
  (n) => `/api/v1/validators/${toStranger(n)}`,
  (n) => `/api/v1/validators/${toStranger(n)}/events`,
  (n) => `/api/v1/epochs/${1_000_000 + n}/events`,
  (n) => `/api/v1/validators?page=${n}`,
  (n) => `/api/v1/stats/rugs-per-epoch?offset=${n}`,
  (n) => `/api/v1/search?q=nobody${n}`,
  // Of those that are known, but have no document: the store is asked.
  (n) => `/api/v1/validators/${toStranger(-1 - (n % KNOWN))}/location`,
  (n) => `/no/such/path/${n}`,
];
/** Fills the computed answers: the smallest counts 2 KB. */
const ENOUGH = 4_500;
const KNOWN = ENOUGH;
/** Noise is a megabyte or two; a leak of a kilobyte a request would be forty. */
const GROWTH_MAX_BYTES = 8 * 1024 * 1024;

it("remembers no more for thousands more requests of every kind, and never more than the sum of its places", async () => {
  const request = openApp();
  await request("/api/v1/validators");
  const atStart = measure();
  await ask(request, 0);
  const full = measure();
  await ask(request, ENOUGH);
  const end = measure();
  expect(end - full).toBeLessThan(GROWTH_MAX_BYTES);
  // Of one network, and no document is there to be held.
  const places = ANSWERS_MAX_BYTES + DOCUMENTS_MAX_BYTES;
  expect(end - atStart).toBeLessThan(places + GROWTH_MAX_BYTES);
});

async function ask(request: (path: string) => Promise<number>, from: number): Promise<void> {
  for (let n = from + 1; n <= from + ENOUGH; n++)
    for (const [kind, toPath] of KINDS.entries()) {
      const status = await request(toPath(n));
      if (status !== 200 && status !== 404)
        throw new Error(`kind ${kind}, request ${n}: status ${status}`);
    }
}

function openApp() {
  const unlisted = Array.from({ length: KNOWN }, (_, n) =>
    makeUnlisted(1, { votePubkey: toStranger(-1 - n) }),
  );
  const objects = new Map(
    [...MAINNET, publish("index", {}, makeIndex({ unlisted }))].map((o) => [o.key, o.body]),
  );
  const app = createApp({
    objects: {
      getIfChanged(key, knownEtag) {
        const body = objects.get(key);
        if (body === undefined) return Promise.resolve(null);
        const etag = String(body.byteLength);
        const object = { body, etag, modifiedAt: null };
        return Promise.resolve(etag === knownEtag ? "unchanged" : object);
      },
    },
    clusters: { watched: [], readEpoch: () => Promise.reject(new Error("silent")) },
    limiter: new MemoryLimiter(1e9, () => 0),
    trustedProxies: { by: "nothing" },
    steadyNow: () => 0,
    now: () => Date.parse(SEEN_AT),
    log: () => undefined,
  });
  return async (path: string) => {
    const response = await app.fetch(toRequest(path));
    await response.arrayBuffer();
    return response.status;
  };
}

function toStranger(n: number): string {
  return base58.encode(hash("sha256", String(n), "buffer"));
}

function measure(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // One collection may free what the next one needs freed.
  for (let time = 0; time < 3; time += 1) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
