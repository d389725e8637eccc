import { numberOf, toName } from "../../generator/journal/names.ts";
import { toObjectKey } from "../../generator/contract/object-keys.ts";
import type { ObjectReference } from "../../generator/contract/objects.ts";
import { readManifest } from "../../generator/publish/manifest.ts";
import {
  publishDocuments,
  type PublishReport,
  type PublishRequest,
} from "../../generator/publish/publish.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export const NETWORK = "mainnet";
const NOW = Date.parse("2026-11-20T15:30:00.000Z");

const VOTES = ["A", "B", "C"].map((letter) => `Vote${letter.repeat(40)}`);

/** Every kind of document but the status: three validators, two epochs, one feed. */
export const REFERENCES: ObjectReference[] = [
  { kind: "index", names: {} },
  { kind: "validators", names: {} },
  { kind: "events", names: {} },
  { kind: "rugsPerEpoch", names: {} },
  { kind: "stakeConcentration", names: {} },
  { kind: "epochEvents", names: { epoch: 0 } },
  { kind: "epochEvents", names: { epoch: 1_000 } },
  ...VOTES.flatMap((votePubkey) =>
    (
      [
        "validator",
        "validatorEvents",
        "commissionHistory",
        "stakeHistory",
        "uptime",
        "location",
      ] as const
    ).map((kind): ObjectReference => ({ kind, names: { votePubkey } })),
  ),
  { kind: "atomFeed", names: { feed: "rug" } },
  { kind: "jsonFeed", names: { feed: "rug" } },
];

export const keyOf = ({ kind, names }: ObjectReference) => toObjectKey(NETWORK, kind, names);
export const STATUS_KEY = keyOf({ kind: "status", names: {} });

export interface Stores {
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}
export const makeStores = (): Stores => ({
  publicStore: openMemoryStore("memory:public"),
  stateStore: openMemoryStore("memory:state"),
});

/**
 * A site whose documents change with the position: about
 * a third at each. One exists only from position 2 to 3.
 */
function revisionOf(reference: ObjectReference, position: number): number | null {
  if (
    reference.kind === "epochEvents" &&
    reference.names.epoch === 1_000 &&
    (position < 2 || position > 3)
  )
    return null;
  const phase = Buffer.from(keyOf(reference)).reduce((sum, byte) => sum + byte, 0) % 3;
  return Math.floor((position + phase) / 3);
}

export function renderAt(position: number): (reference: ObjectReference) => Uint8Array | null {
  return (reference) => {
    const revision = revisionOf(reference, position);
    return revision === null
      ? null
      : new TextEncoder().encode(JSON.stringify({ key: keyOf(reference), revision }));
  };
}

/** What the fold would call touched between two positions. */
export function touchedBetween(from: number, to: number): ObjectReference[] {
  return REFERENCES.filter(
    (reference) => revisionOf(reference, from) !== revisionOf(reference, to),
  );
}

export const nameAt = (position: number) => toName(1 + position);

/** The request of a generator at a position, for all documents. */
export function requestAt(position: number): Omit<PublishRequest, keyof Stores> {
  return {
    network: NETWORK,
    series: 1,
    versions: { fold: 1, render: 1 },
    siteUrl: "https://rugwatch.example",
    journal: { through: nameAt(position), digest: `digest-${position}` },
    references: REFERENCES,
    render: renderAt(position),
    countRows: () => null,
    status: () => new TextEncoder().encode(JSON.stringify({ status: position })),
    audit: true,
    now: () => NOW,
    holder: "generator-1",
    concurrency: 3,
  };
}

/**
 * A generator's run at a position: looks at what was touched since the
 * manifest's, or at everything after other rules or unknown entries.
 */
export async function runAt(
  stores: Stores,
  position: number,
  change: Partial<PublishRequest> = {},
): Promise<PublishReport> {
  const { manifest } = await readManifest(stores.stateStore, NETWORK);
  const request = { ...requestAt(position), ...change, ...stores };
  const { fold, render } = request.versions;
  const isOfSameRules =
    manifest?.series === request.series &&
    manifest.foldVersion === fold &&
    manifest.renderVersion === render &&
    manifest.siteUrl === request.siteUrl;
  const published = numberOf(manifest?.journal.through ?? null) - 1;
  if (!isOfSameRules || published > position) return publishDocuments(request);
  return publishDocuments({
    ...request,
    references: touchedBetween(published, position),
    since: manifest.journal,
    ...change,
  });
}

export const manifestOf = async ({ stateStore }: Stores) =>
  (await readManifest(stateStore, NETWORK)).manifest;

export const any = { expect: "any", contentType: "application/json" } as const;

export async function readSite(store: ObjectStore): Promise<Record<string, string>> {
  const site: Record<string, string> = {};
  for await (const { key } of store.list(""))
    site[key] = new TextDecoder().decode((await store.get(key))?.body);
  return site;
}

/** What the public store must hold at a position; documents that are gone stay. */
export function expectedSite(position: number): Record<string, string> {
  const documents = REFERENCES.flatMap((reference): [string, string][] => {
    const body = renderAt(position)(reference);
    return body === null ? [] : [[keyOf(reference), new TextDecoder().decode(body)]];
  });
  return { ...Object.fromEntries(documents), [STATUS_KEY]: JSON.stringify({ status: position }) };
}

export function recordPuts(store: ObjectStore, puts: string[]): ObjectStore {
  return {
    ...store,
    put(key, body, options) {
      puts.push(key);
      return store.put(key, body, options);
    },
  };
}
