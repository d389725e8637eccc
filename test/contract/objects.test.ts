import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CACHE_CLASSES, type CacheClass } from "../../generator/contract/cache.ts";
import { FEEDS } from "../../generator/contract/feed.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { fromObjectKey, OBJECTS, toObjectKey, type ObjectKind } from "../../generator/contract/objects.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const KEY = "Vote111111111111111111111111111111111111111";
const KINDS = Object.keys(OBJECTS) as ObjectKind[];

const networks = fc.constantFrom(...NETWORKS);
const pubkeys = fc.string({ unit: fc.constantFrom(...BASE58.split("")), minLength: 32, maxLength: 44 });
const epochs = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const NAMES = {
  none: fc.constant({}),
  votePubkey: fc.record({ votePubkey: pubkeys }),
  epoch: fc.record({ epoch: epochs }),
  feed: fc.record({ feed: fc.constantFrom(...FEEDS) }),
};

describe("the key of an object", () => {
  it.each(KINDS)("leads back to the object it was made of: %s", (kind) => {
    fc.assert(
      fc.property(networks, NAMES[OBJECTS[kind].named], (network, names) => {
        expect(fromObjectKey(network, toObjectKey(network, kind, names))).toEqual({ kind, names });
      }),
    );
  });

  it.each([
    ["validators", {}, "api/v1/mainnet/validators.json"],
    ["validator", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}.json`],
    ["validatorEvents", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}/events.json`],
    ["commissionHistory", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}/commission-history.json`],
    ["stakeHistory", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}/stake-history.json`],
    ["uptime", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}/uptime.json`],
    ["location", { votePubkey: KEY }, `api/v1/mainnet/validators/${KEY}/location.json`],
    ["events", {}, "api/v1/mainnet/events.json"],
    ["epochEvents", { epoch: 0 }, "api/v1/mainnet/epochs/0/events.json"],
    ["rugsPerEpoch", {}, "api/v1/mainnet/stats/rugs-per-epoch.json"],
    ["stakeConcentration", {}, "api/v1/mainnet/stats/stake-concentration.json"],
    ["status", {}, "api/v1/mainnet/status.json"],
    ["index", {}, "api/v1/mainnet/index.json"],
    ["atomFeed", { feed: "events" }, "feeds/mainnet/events.atom"],
    ["jsonFeed", { feed: "rug" }, "feeds/mainnet/rug.json"],
    ["validatorAtomFeed", { votePubkey: KEY }, `feeds/mainnet/validators/${KEY}.atom`],
    ["validatorJsonFeed", { votePubkey: KEY }, `feeds/mainnet/validators/${KEY}.json`],
  ] as const)("of %s is the path of its endpoint below the network", (kind, names, key) => {
    expect(toObjectKey("mainnet", kind, names)).toBe(key);
  });

  it.each([
    ["another network", "api/v1/testnet/validators.json"],
    ["another version", "api/v2/mainnet/validators.json"],
    ["no such path", "api/v1/mainnet/validator.json"],
    ["no extension", "api/v1/mainnet/validators"],
    ["something behind it", "api/v1/mainnet/validators.json.tmp"],
    ["something before it", "x/api/v1/mainnet/validators.json"],
    ["a key that is no Base58", `api/v1/mainnet/validators/${KEY.replace("V", "l")}.json`],
    ["a key that is too short", "api/v1/mainnet/validators/Vote/events.json"],
    ["a way out of the folder", "api/v1/mainnet/validators/../events.json"],
    ["a zero in front of the epoch", "api/v1/mainnet/epochs/007/events.json"],
    ["an epoch that no number is equal to", "api/v1/mainnet/epochs/9007199254740993/events.json"],
    ["no such feed", "feeds/mainnet/rugs.atom"],
    ["a feed of no vote account", "feeds/mainnet/validators/rug.atom"],
    ["a feed in no such form", "feeds/mainnet/rug.xml"],
    ["a feed of another network", "feeds/testnet/rug.atom"],
    ["a feed among the documents", "api/v1/mainnet/rug.atom"],
    ["a negative epoch", "api/v1/mainnet/epochs/-1/events.json"],
    ["nothing", ""],
  ])("is not recognised: %s", (_, key) => {
    expect(fromObjectKey("mainnet", key)).toBeNull();
  });
});

describe("the table of objects", () => {
  it("has an endpoint for every object but the proxy's own index", () => {
    for (const [kind, { form, path }] of Object.entries(OBJECTS)) {
      if (kind === "index") expect(OPERATIONS).not.toHaveProperty(kind);
      else if (form === "document") expect(OPERATIONS).toHaveProperty([kind, "path"], `/api/v1/${path}`);
      else expect(OPERATIONS).toHaveProperty([kind, "contentType"], FORMS[form].contentType);
    }
  });

  it("gives what shows events the shorter time in caches", () => {
    const eventful = KINDS.filter((kind) => OBJECTS[kind].cache === "events");
    expect(eventful.toSorted()).toEqual([
      "atomFeed",
      "epochEvents",
      "events",
      "index",
      "jsonFeed",
      "rugsPerEpoch",
      "validatorAtomFeed",
      "validatorEvents",
      "validatorJsonFeed",
    ]);
  });
});

describe("cache classes", () => {
  it.each<[CacheClass, number]>([
    ["snapshot", 300],
    ["events", 60],
    ["epoch", 30],
    ["status", 15],
  ])("%s may be kept by a shared cache for %d seconds, and no longer by a browser", (name, seconds) => {
    expect(secondsOf(name, "s-maxage")).toBe(seconds);
    expect(secondsOf(name, "max-age")).toBeLessThanOrEqual(seconds);
  });

  it("keep no error anywhere", () => {
    expect(CACHE_CLASSES.error).toBe("no-store");
  });

  it("never serve the live epoch stale", () => {
    expect(CACHE_CLASSES.epoch).not.toContain("stale");
  });
});

function secondsOf(name: CacheClass, directive: string): number {
  const found = CACHE_CLASSES[name].split(", ").find((part) => part.startsWith(`${directive}=`));
  return Number(found?.slice(directive.length + 1));
}
