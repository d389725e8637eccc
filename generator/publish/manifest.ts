import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { networkSchema, type Network } from "../contract/networks.ts";
import { countSchema } from "../contract/values.ts";
import { getOrDamaged, isUndamaged, setAside } from "../store/damaged.ts";
import type { ObjectStore } from "../store/store.ts";
import { compress, decompress } from "../store/zstd.ts";

const MANIFEST_FORMAT = 1;

/** Most bytes of a manifest's JSON: some hundred times one of 18,000 documents. */
const JSON_BYTES_MAX = 256 * 1024 * 1024;

/** Of an object that the store does not give: it fits none. */
const UNKNOWN_ETAG = "";

const publishedSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), etag: z.string(), bytes: countSchema });

const manifestSchema = z
  .object({
    format: z.literal(MANIFEST_FORMAT),
    network: networkSchema,
    series: z.int().min(1),
    foldVersion: countSchema,
    renderVersion: countSchema,
    /** Where the feeds say that the site is; null: of a version that had none. */
    siteUrl: z.string().nullable().default(null),
    journal: z.object({ through: z.string().nullable(), digest: z.string() }),
    documents: z.record(z.string(), publishedSchema),
    /** Keys of exports that may be of an earlier position than the others (deferred.ts). */
    deferred: z.array(z.string()).optional(),
    /** The same in manifests of older versions. */
    owed: z.array(z.string()).default([]),
  })
  .transform(({ owed, deferred = owed, ...manifest }) => ({ ...manifest, deferred }));

/** Later formats must go on telling so much. */
const newerSchema = z.looseObject({ format: z.int().min(MANIFEST_FORMAT + 1), network: networkSchema });

/** A document as it was put; `etag` is the store's own, as it said then. */
export type PublishedDocument = z.infer<typeof publishedSchema>;

/**
 * What was published last: from which entries, by which rules, and each document. Written after all of them, so what it
 * names is there; what it does not name so is put again.
 */
export type Manifest = z.infer<typeof manifestSchema>;

/** Or why there is none that can be used: with an ETag because it is damaged, or because a newer version wrote it. */
export type ManifestReading =
  { manifest: Manifest; etag: string } | { manifest: null; etag: string | null; reason: string; isOfNewer: boolean };

/**
 * A damaged one is as good as none: everything is published again. Over one of a newer format nobody may publish.
 * @throws {StoreError}
 */
export async function readManifest(stateStore: ObjectStore, network: Network): Promise<ManifestReading> {
  const object = await getOrDamaged(stateStore, toManifestKey(network));
  if (object === null) return { manifest: null, etag: null, reason: "nothing was published yet", isOfNewer: false };
  if ("damaged" in object) return { manifest: null, etag: UNKNOWN_ETAG, reason: object.damaged, isOfNewer: false };
  const { etag } = object;
  try {
    const json = await decompress(object.body, { bytesMax: JSON_BYTES_MAX });
    const value: unknown = JSON.parse(json.toString("utf8"));
    const newer = newerSchema.safeParse(value);
    if (newer.success) {
      const reason = `it has the format ${newer.data.format}, known is ${MANIFEST_FORMAT}`;
      return { manifest: null, etag, reason, isOfNewer: newer.data.network === network };
    }
    const manifest = manifestSchema.parse(value);
    if (manifest.network !== network) throw new Error(`it is of the network ${manifest.network}`);
    return { manifest, etag };
  } catch (error) {
    return { manifest: null, etag, reason: messageOf(error), isOfNewer: false };
  }
}

/** Before they are overwritten. Gives what was set aside; null: nothing. */
export async function setManifestAside(
  stateStore: ObjectStore,
  { network, reading }: { network: Network; reading: ManifestReading },
): Promise<{ object: string; reason: string } | null> {
  if (reading.manifest !== null || reading.etag === null) return null;
  const object = await getOrDamaged(stateStore, toManifestKey(network));
  if (isUndamaged(object) && object.etag === reading.etag) await setAside(stateStore, object);
  return { object: toManifestKey(network), reason: reading.reason };
}

/** Writes a network's manifest, its documents in the order of their keys. */
export async function writeManifest(stateStore: ObjectStore, manifest: Omit<Manifest, "format">): Promise<void> {
  const sorted = Object.entries(manifest.documents).sort(([one], [other]) => (one < other ? -1 : 1));
  const whole: Manifest = { format: MANIFEST_FORMAT, ...manifest, documents: Object.fromEntries(sorted) };
  const body = await compress(new TextEncoder().encode(JSON.stringify(whole)));
  await stateStore.put(toManifestKey(manifest.network), body, { expect: "any", contentType: "application/zstd" });
}

/** Where a network's manifest lies in the state store. */
export function toManifestKey(network: Network): string {
  return `manifest/${network}.json.zst`;
}
