import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toApiAddress } from "../../generator/contract/addresses.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { FEEDS } from "../../generator/contract/feed.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { OBJECTS, toObjectKey, type ObjectKind } from "../../generator/contract/objects.ts";

const VOTE = "Vote111111111111111111111111111111111111111";
const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

const networks = fc.constantFrom(...NETWORKS);
const pubkeys = fc.string({ unit: fc.constantFrom(...BASE58.split("")), minLength: 32, maxLength: 44 });
const epochs = fc.maxSafeNat();
const NAMES = {
  none: fc.constant({}),
  votePubkey: fc.record({ votePubkey: pubkeys }),
  epoch: fc.record({ epoch: epochs }),
  feed: fc.record({ feed: fc.constantFrom(...FEEDS) }),
};

type Documented = Exclude<ObjectKind, "index">;
const KINDS = Object.keys(OBJECTS).filter((kind): kind is Documented => kind !== "index");
const DOCUMENTS = KINDS.filter((kind) => OBJECTS[kind].form === "document");
const OTHERS = KINDS.filter((kind) => OBJECTS[kind].form !== "document");

/** The path of an endpoint with these names in it. */
function toPath(kind: Documented, names: Record<string, unknown>): string {
  return OPERATIONS[kind].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(names[name]));
}

describe("the address of an object", () => {
  it.each(DOCUMENTS)("is where the API answers with it: %s", (kind) => {
    fc.assert(
      fc.property(networks, NAMES[OBJECTS[kind].named], (network, names) => {
        expect(toApiAddress(toObjectKey(network, kind, names))).toEqual({ path: toPath(kind, names), network });
      }),
    );
  });

  it.each(OTHERS)("is its key already: %s", (kind) => {
    fc.assert(
      fc.property(networks, NAMES[OBJECTS[kind].named], (network, names) => {
        const key = toObjectKey(network, kind, names);
        expect(`/${key}`).toBe(toPath(kind, { ...names, network }));
        expect(toApiAddress(key)).toBeNull();
      }),
    );
  });

  it.each([
    ["of the index, which the API does not give out", "api/v1/mainnet/index.json"],
    ["of another network", "api/v1/devnet/validators.json"],
    ["of no network", "api/v1/validators.json"],
    ["of a network alone", "api/v1/mainnet/.json"],
    ["of the API itself", "api/v1/openapi.json"],
    ["of what needs a cluster", "api/v1/mainnet/epoch.json"],
    ["with a slash before it", "/api/v1/mainnet/validators.json"],
    ["with no ending", "api/v1/mainnet/validators"],
    ["with another ending", "api/v1/mainnet/validators.csv"],
    ["with something behind it", "api/v1/mainnet/validators.json/"],
    ["that climbs", `api/v1/mainnet/validators/../validators/${VOTE}.json`],
    ["of nobody", "api/v1/mainnet/validators/nobody.json"],
    ["of no epoch", "api/v1/mainnet/epochs/01/events.json"],
    ["of an epoch past all counting", "api/v1/mainnet/epochs/9007199254740993/events.json"],
    ["of nothing", ""],
  ])("is none for a key %s", (_, key) => {
    expect(toApiAddress(key)).toBeNull();
  });
});
