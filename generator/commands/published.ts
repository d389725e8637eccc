import { RENDER_VERSION } from "../documents/render.ts";
import type { Network } from "../contract/networks.ts";
import { FOLD_VERSION } from "../ledger/ledger.ts";
import { readManifest, type Manifest } from "../publish/manifest.ts";
import type { ObjectStore } from "../store/store.ts";
import type { JournalPosition } from "./keeper.ts";

/**
 * The position of the journal that the public documents are of; null: of none that this generator's rules could have
 * brought about. Another process may have published since this one did.
 */
export async function readPublishedPosition(
  stateStore: ObjectStore,
  { network, series }: { network: Network; series: number },
): Promise<JournalPosition | null> {
  const { manifest } = await readManifest(stateStore, network);
  if (manifest === null || !isOfThese(manifest, series)) return null;
  const { through, digest } = manifest.journal;
  return through === null ? null : { through, digest };
}

function isOfThese(manifest: Manifest, series: number): boolean {
  return (
    manifest.series === series && manifest.foldVersion === FOLD_VERSION && manifest.renderVersion === RENDER_VERSION
  );
}
