import { z } from "zod";
import { networkSchema, type Network } from "../contract/networks.ts";
import { countSchema } from "../contract/values.ts";
import type { ObjectStore } from "../store/store.ts";
import { compress, decompress } from "../store/zstd.ts";

const MANIFEST_FORMAT = 1;

/** Most bytes of a manifest's JSON: some hundred times one of 18,000 documents. */
const JSON_BYTES_MAX = 256 * 1024 * 1024;

const publishedSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), etag: z.string(), bytes: countSchema });

const manifestSchema = z.object({
  format: z.literal(MANIFEST_FORMAT),
  network: networkSchema,
  series: z.int().min(1),
  foldVersion: countSchema,
  renderVersion: countSchema,
  journal: z.object({ through: z.string().nullable(), digest: z.string() }),
  documents: z.record(z.string(), publishedSchema),
});

/** A document as it was put; `etag` is the store's own, as it said then. */
export type PublishedDocument = z.infer<typeof publishedSchema>;

/**
 * What was published last: from which entries of the journal, by which rules, and each document. It is written after all
 * of them, so what it names is there; and a document that it does not name, or names otherwise, is put again.
 */
export type Manifest = z.infer<typeof manifestSchema>;

/** The manifest with the ETag of its own object; or why there is none that can be used. */
export type ManifestReading =
  { manifest: Manifest; etag: string } | { manifest: null; etag: string | null; reason: string };

/**
 * Reads a network's manifest. One that cannot be read is as good as none: everything is then published again.
 *
 * @throws {StoreError}
 */
export async function readManifest(stateStore: ObjectStore, network: Network): Promise<ManifestReading> {
  const object = await stateStore.get(toManifestKey(network));
  if (object === null) return { manifest: null, etag: null, reason: "nothing was published yet" };
  const { etag } = object;
  try {
    const json = await decompress(object.body, { bytesMax: JSON_BYTES_MAX });
    const manifest = manifestSchema.parse(JSON.parse(json.toString("utf8")));
    if (manifest.network !== network) throw new Error(`it is of the network ${manifest.network}`);
    return { manifest, etag };
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error).slice(0, 500) : String(error);
    return { manifest: null, etag, reason };
  }
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
