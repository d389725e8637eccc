import { RENDER_VERSION } from "../documents/render.ts";
import type { Network } from "../contract/networks.ts";
import { FOLD_VERSION } from "../ledger/ledger.ts";
import { readManifest, type ManifestReading } from "../publish/manifest.ts";
import type { ObjectStore } from "../store/store.ts";
import type { JournalPosition } from "./projection.ts";

/**
 * The position of the journal that the public documents are of; null: of none that this generator's rules and settings
 * could have brought about. Another process may have published since this one did.
 */
export async function readPublishedPosition(
  stateStore: ObjectStore,
  { network, ...expected }: { network: Network; series: number; siteUrl: string },
): Promise<JournalPosition | null> {
  return toPublishedPosition(await readManifest(stateStore, network), expected);
}

/** The same of a manifest that was read already. */
export function toPublishedPosition(
  { manifest }: ManifestReading,
  { series, siteUrl }: { series: number; siteUrl: string },
): JournalPosition | null {
  if (manifest === null || manifest.series !== series || manifest.siteUrl !== siteUrl) return null;
  if (manifest.foldVersion !== FOLD_VERSION || manifest.renderVersion !== RENDER_VERSION) return null;
  return toPosition(manifest.journal);
}

/** @param journal as a manifest tells of it. */
export function toPosition({ through, digest }: { through: string | null; digest: string }): JournalPosition | null {
  return through === null ? null : { through, digest };
}
