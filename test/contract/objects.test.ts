import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toApiAddress } from "../../generator/contract/addresses.ts";
import { CACHE_CLASSES, type CacheClass } from "../../generator/contract/cache.ts";
import { FEEDS } from "../../generator/contract/feed.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { assertObject, toContent } from "../../generator/contract/object-content.ts";
import { fromObjectKey, toObjectKey } from "../../generator/contract/object-keys.ts";
import {
  OBJECTS,
  type ObjectKind,
  type ObjectReference,
} from "../../generator/contract/objects.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { toWalletShard, WALLET_SHARD_COUNTS } from "../../generator/contract/wallets.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { ledgerOf, voteOf } from "../documents/fixtures.ts";

const KEY = "Vote111111111111111111111111111111111111111";
const KINDS = Object.keys(OBJECTS) as ObjectKind[];
const PUBKEYS = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const NAMES = {
  none: fc.constant({}),
  votePubkey: fc.record({ votePubkey: PUBKEYS }),
  epoch: fc.record({ epoch: fc.maxSafeNat() }),
  segment: fc.record({ segment: fc.integer({ min: 1, max: 1e15 - 1 }) }),
  feed: fc.record({ feed: fc.constantFrom(...FEEDS) }),
  month: fc.record({ month: fc.constantFrom("2025-01", "2026-12") }),
  shard: fc.record({
    shard: fc
      .tuple(PUBKEYS, fc.constantFrom(...WALLET_SHARD_COUNTS))
      .map(([key, count]) => toWalletShard(key, count)),
  }),
};

describe("the key of an object", () => {
  it.each(KINDS)(
    "leads back to the object it was made of, and to where the API answers with it: %s",
    (kind) => {
      const { form, named } = OBJECTS[kind];
      fc.assert(
        fc.property(fc.constantFrom(...NETWORKS), NAMES[named], (network, names) => {
          const key = toObjectKey(network, kind, names);
          expect(fromObjectKey(network, key)).toEqual({ kind, names });
          const values: Record<string, unknown> = { ...names, network };
          // What is no document lies at its key.
          const operations: Partial<Record<ObjectKind, Operation>> = OPERATIONS;
          const template =
            kind === "page" ? "/validators/{votePubkey}" : (operations[kind]?.path ?? null);
          const path = template?.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
            String(values[name]),
          );
          const isDocument = (form === "document" || form === "page") && template !== null;
          expect(toApiAddress(key)).toEqual(isDocument ? { path, network } : null);
          if (!isDocument && template !== null) expect(`/${key}`).toBe(path);
        }),
      );
    },
  );

  it.each([
    ["changeSegment", { segment: 12 }, "api/v1/mainnet/changes/000012.json"],
    ["index", {}, "api/v1/mainnet/index.json"],
    ["walletShard", { shard: "2048-17" }, "api/v1/mainnet/wallets/2048-17.json"],
    ["walletShard", { shard: "3364-17" }, "api/v1/mainnet/wallets/3364-17.json"],
    ["atomFeed", { feed: "events" }, "feeds/mainnet/events.atom"],
    ["jsonFeed", { feed: "rug" }, "feeds/mainnet/rug.json"],
    ["badge", { votePubkey: KEY }, `badges/mainnet/${KEY}.svg`],
    ["picture", { votePubkey: KEY }, `badges/mainnet/${KEY}.png`],
    ["page", { votePubkey: KEY }, `pages/mainnet/${KEY}.html`],
  ] as const)("of %s %j is %s", (kind, names, key) => {
    expect(toObjectKey("mainnet", kind, names)).toBe(key);
  });

  it.each([
    "",
    "api/v1/devnet/validators.json",
    "api/v2/mainnet/validators.json",
    "api/v1/validators.json",
    "api/v1/mainnet/.json",
    "api/v1/openapi.json",
    "api/v1/mainnet/epoch.json",
    "api/v1/mainnet/validator.json",
    "api/v1/mainnet/validators",
    "api/v1/mainnet/validators.csv",
    "api/v1/mainnet/validators.json.tmp",
    "api/v1/mainnet/validators.json/",
    "/api/v1/mainnet/validators.json",
    "x/api/v1/mainnet/validators.json",
    `api/v1/mainnet/validators/${KEY.replace("V", "l")}.json`,
    "api/v1/mainnet/validators/Vote/events.json",
    "api/v1/mainnet/validators/../events.json",
    `api/v1/mainnet/validators/../validators/${KEY}.json`,
    "api/v1/mainnet/epochs/007/events.json",
    "api/v1/mainnet/epochs/-1/events.json",
    "api/v1/mainnet/epochs/9007199254740993/events.json",
    "api/v1/mainnet/wallets/2048-2048.json",
    "api/v1/mainnet/wallets/1000-17.json",
    "api/v1/mainnet/wallets/58-058.json",
    "api/v1/mainnet/wallets/1024-17.json",
    "feeds/mainnet/rugs.atom",
    "feeds/mainnet/rug.xml",
    "feeds/mainnet/validators/rug.atom",
    "feeds/devnet/rug.atom",
    "api/v1/mainnet/rug.atom",
  ])("is not %j", (key) => {
    expect([fromObjectKey("mainnet", key), toApiAddress(key)]).toEqual([null, null]);
  });

  it.each(["api/v1/testnet/validators.json", "feeds/testnet/rug.atom"])(
    "of mainnet is not %s",
    (key) => {
      expect(fromObjectKey("mainnet", key)).toBeNull();
    },
  );
});

describe("the table of objects", () => {
  it("has an endpoint for every object but what the proxy alone reads, and the pages of the site", () => {
    for (const [kind, { form, path }] of Object.entries(OBJECTS)) {
      if (!OBJECTS[kind as ObjectKind].hasOperation) expect(OPERATIONS).not.toHaveProperty(kind);
      else if (form === "document")
        expect(OPERATIONS).toHaveProperty([kind, "path"], `/api/v1/${path}`);
      else expect(OPERATIONS).toHaveProperty([kind, "contentType"], FORMS[form].contentType);
    }
  });

  it.each<[CacheClass, number]>([
    ["snapshot", 300],
    ["events", 60],
    ["epoch", 30],
    ["status", 15],
  ])("lets a shared cache keep %s for %d seconds, and a browser no longer", (name, seconds) => {
    const secondsOf = (directive: string) =>
      Number(new RegExp(`(?:^|, )${directive}=(\\d+)`).exec(CACHE_CLASSES[name])?.[1]);
    expect(secondsOf("s-maxage")).toBe(seconds);
    expect(secondsOf("max-age")).toBeLessThanOrEqual(seconds);
  });

  it("lets nobody keep an error, or serve the live epoch stale", () => {
    expect(CACHE_CLASSES.error).toBe("no-store");
    expect(CACHE_CLASSES.epoch).not.toContain("stale");
  });
});

describe("bytes of the public store", () => {
  const { render } = createRenderer(
    ledgerOf({ validators: [{ name: "one" }], events: [{ of: "one" }] }),
  );
  const ATOM: ObjectReference = { kind: "atomFeed", names: { feed: "rug" } };
  const JSON_FEED: ObjectReference = { kind: "jsonFeed", names: { feed: "rug" } };
  const names = { votePubkey: voteOf("one") };
  const SHARED: ObjectReference[] = [
    { kind: "badge", names },
    { kind: "picture", names },
    { kind: "page", names },
    { kind: "sitemap", names: {} },
  ];
  const ALL: ObjectReference[] = [
    ATOM,
    JSON_FEED,
    ...SHARED,
    { kind: "index", names: {} },
    { kind: "events", names: {} },
  ];

  it.each(ALL)(
    "are taken for what they are: $kind; not for another network's, and for nothing when cut",
    (reference) => {
      const body = render(reference)!;
      expect(() => assertObject("mainnet", reference, body)).not.toThrow();
      expect(() => assertObject("testnet", reference, body)).toThrow();
      for (const length of [0, 1, body.length - 1])
        expect(
          () => assertObject("mainnet", reference, body.subarray(0, length)),
          String(length),
        ).toThrow();
    },
  );

  it("are not taken for another feed", () => {
    const info: ObjectReference = { kind: "atomFeed", names: { feed: "info" } };
    expect(() => assertObject("mainnet", info, render(ATOM)!)).toThrow(
      "it is not feeds/mainnet/info.atom",
    );
  });

  it("hold text, or what JSON says", () => {
    expect(toContent("atomFeed", Buffer.from("<feed/>"))).toBe("<feed/>");
    expect(toContent("jsonFeed", Buffer.from('{"a":1}'))).toEqual({ a: 1 });
    expect(() => toContent("atomFeed", Uint8Array.of(0xff))).toThrow();
  });
});
