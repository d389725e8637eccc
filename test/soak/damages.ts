import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { Network } from "../../generator/contract/networks.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { DamagedObjectError, type ObjectStore } from "../../generator/store/store.ts";
import { timeAt } from "../story/clock.ts";
import { check, snapshot } from "../story/observations.ts";
import { keyOf, withA } from "../story/validators.ts";
import { readTimeless } from "../service/documents.ts";
import { append, makeStation, makeStores, publish, type Stores } from "../service/offline.ts";

const storyOf = (network: Network): Entry[] =>
  Array.from({ length: 18 }, (_, index) => {
    // In the order of lists, or snapshots would be stored whole.
    const facts = withA({ bps: index < 9 ? 500 : 700 }).toSorted((one, other) =>
      keyOf(one.name) < keyOf(other.name) ? -1 : 1,
    );
    return {
      ...(index % 3 === 0 ? snapshot(index * 10, facts) : check(index * 10, facts)),
      network,
    };
  });
export const STORY = storyOf("mainnet");

export const bytes = (text: string) => new TextEncoder().encode(text);

export type Damage = (whole: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** Bytes that changed on the disk of a server with checksums: see {@link refusing}. */
export const REFUSED = bytes("no bytes");

export const DAMAGES: [string, Damage][] = [
  ["cut in half", (whole) => whole.subarray(0, whole.length >> 1)],
  ["empty", () => new Uint8Array()],
  // No JSON and no zstd begins so.
  ["with a flipped bit", (whole) => whole.with(0, (whole[0] ?? 0) ^ 1)],
  ["foreign JSON", () => bytes('{"hello":["world"]}')],
  ["foreign JSON, compressed", () => zstdCompressSync('{"hello":["world"]}')],
  ["foreign bytes", () => randomBytes(1000)],
  ["that its server does not give any more", () => REFUSED],
  ["a bomb that unpacks to 80 MB", () => zstdCompressSync(Buffer.alloc(80 * 1024 * 1024, 32))],
];

export const withForeign = (prefix: string): [string, Damage][] => [
  ...DAMAGES,
  ["of another network", () => ofTestnet(prefix)],
];

async function ofTestnet(prefix: string): Promise<Uint8Array> {
  const others = makeStores();
  await tell(others, storyOf("testnet"), "testnet");
  const store = prefix.startsWith("api/") ? others.publicStore : others.stateStore;
  return readBody(store, await findFirst(store, prefix));
}

/** Stores of a server that answers damaged bytes with an error. */
export function refusing({ publicStore, stateStore }: Stores): Stores {
  const wrap = (store: ObjectStore): ObjectStore => ({
    ...store,
    async get(key) {
      const object = await store.get(key);
      if (object === null || !Buffer.from(REFUSED).equals(object.body)) return object;
      throw new DamagedObjectError(store.name, "get", key, "the bytes do not match their checksum");
    },
  });
  return { publicStore: wrap(publicStore), stateStore: wrap(stateStore) };
}

/** Journals a story and publishes it twice, the second time from a checkpoint. */
export async function tell(into: Stores, story: readonly Entry[], network: Network): Promise<void> {
  for (const minute of [171, 172]) {
    const context = makeStation({
      ...into,
      network,
      now: Date.parse(timeAt(minute)),
      holder: `${network} ${minute}`,
    });
    if (minute === 171) await append(context, story);
    await publish(context);
  }
}

export async function siteOf(story: readonly Entry[]): Promise<Map<string, string>> {
  return readTimeless({ ...(await storesOf(story)), network: "mainnet" });
}

export async function storesOf(story: readonly Entry[]): Promise<Stores> {
  const others = makeStores();
  await tell(others, story, "mainnet");
  return others;
}

export async function readBody(store: ObjectStore, key: string): Promise<Uint8Array> {
  return (await store.get(key))?.body ?? new Uint8Array();
}

export async function findFirst(store: ObjectStore, prefix: string): Promise<string> {
  for await (const { key } of store.list(prefix)) return key;
  throw new Error(`nothing below ${prefix}`);
}
