import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { networkSchema, type Network } from "../contract/networks.ts";
import { countSchema } from "../contract/values.ts";
import {
  getOrDamaged,
  isUndamaged,
  orDamaged,
  setAside,
  type DamagedObject,
} from "../store/damaged.ts";
import type { ObjectStore, StoredObject } from "../store/store.ts";
import { compress, decompress } from "../store/zstd.ts";

const MANIFEST_FORMAT = 1;

/** Some hundred times the manifest of 18,000 documents. */
const JSON_BYTES_MAX = 256 * 1024 * 1024;

/** ETag of an object that the store does not return; it equals no other. */
const UNKNOWN_ETAG = "";

const publishedSchema = z.object({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  etag: z.string(),
  bytes: countSchema,
  /** Only of an export. */
  rows: countSchema.optional(),
});

const manifestSchema = z.object({
  format: z.literal(MANIFEST_FORMAT),
  network: networkSchema,
  series: z.int().min(1),
  foldVersion: countSchema,
  renderVersion: countSchema,
  /** Site address in the feeds. */
  siteUrl: z.string(),
  journal: z.object({ through: z.string().nullable(), digest: z.string() }),
  documents: z.record(z.string(), publishedSchema),
  /** Documents that may be of an earlier position (deferred.ts). */
  deferred: z.array(z.string()),
});

/** Later formats must keep this. */
const newerSchema = z.looseObject({
  format: z.int().min(MANIFEST_FORMAT + 1),
  network: networkSchema,
});

/** What the manifest has of a document. */
export type PublishedDocument = z.infer<typeof publishedSchema>;

/**
 * What was published last, from which entries and by which versions. It is written last, so that
 * everything it names exists.
 */
export type Manifest = z.infer<typeof manifestSchema>;

/** The manifest, or why there is none. `isOfNewer`: a newer version wrote it. */
export type ManifestReading =
  | { manifest: Manifest; etag: string }
  | { manifest: null; etag: string | null; reason: string; isOfNewer: boolean };

const NOT_PUBLISHED = {
  manifest: null,
  etag: null,
  reason: "nothing was published yet",
  isOfNewer: false,
} as const;

/** The manifest read last, by store and key: it is large and mostly unchanged. */
const newest = new WeakMap<ObjectStore, Map<string, ManifestReading>>();

/**
 * Reads the manifest. Without a readable one everything is published again; if its format is
 * newer, nothing is published.
 */
export async function readManifest(
  stateStore: ObjectStore,
  network: Network,
): Promise<ManifestReading> {
  const key = toManifestKey(network);
  const readings = newest.get(stateStore) ?? new Map<string, ManifestReading>();
  const known = readings.get(key) ?? NOT_PUBLISHED;
  const object = await orDamaged(stateStore.getIfChanged(key, known.etag));
  if (object === "unchanged") return known;
  const reading = toReading(object, network);
  if (reading.manifest !== null) newest.set(stateStore, readings.set(key, reading));
  return reading;
}

function toReading(object: StoredObject | DamagedObject | null, network: Network): ManifestReading {
  if (object === null) return NOT_PUBLISHED;
  if ("damaged" in object)
    return { manifest: null, etag: UNKNOWN_ETAG, reason: object.damaged, isOfNewer: false };
  const { etag } = object;
  try {
    const json = decompress(object.body, { bytesMax: JSON_BYTES_MAX });
    const value: unknown = JSON.parse(json.toString("utf8"));
    const newer = newerSchema.safeParse(value);
    if (newer.success) {
      const reason = `it has the format ${newer.data.format}, this version knows ${MANIFEST_FORMAT}`;
      return { manifest: null, etag, reason, isOfNewer: newer.data.network === network };
    }
    const manifest = manifestSchema.parse(value);
    if (manifest.network !== network)
      throw new Error(`it belongs to the network ${manifest.network}`);
    return { manifest, etag };
  } catch (error) {
    return { manifest: null, etag, reason: messageOf(error), isOfNewer: false };
  }
}

/** Moves an unreadable manifest to another key and returns what was moved. */
export async function setManifestAside(
  stateStore: ObjectStore,
  { network, reading }: { network: Network; reading: ManifestReading },
): Promise<{ object: string; reason: string } | null> {
  if (reading.manifest !== null || reading.etag === null) return null;
  const object = await getOrDamaged(stateStore, toManifestKey(network));
  if (isUndamaged(object) && object.etag === reading.etag) await setAside(stateStore, object);
  return { object: toManifestKey(network), reason: reading.reason };
}

/**
 * Writes the manifest, whatever is stored. Documents are sorted by key, so equal manifests are
 * equal bytes.
 * @throws {StoreError} when the store fails
 */
export async function writeManifest(
  stateStore: ObjectStore,
  manifest: Omit<Manifest, "format">,
): Promise<void> {
  const sorted = Object.entries(manifest.documents).sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const whole: Manifest = {
    format: MANIFEST_FORMAT,
    ...manifest,
    documents: Object.fromEntries(sorted),
  };
  const body = compress(new TextEncoder().encode(JSON.stringify(whole)));
  await stateStore.put(toManifestKey(manifest.network), body, {
    expect: "any",
    contentType: "application/zstd",
  });
}

/** Key in the state store. */
export function toManifestKey(network: Network): string {
  return `manifest/${network}.json.zst`;
}
