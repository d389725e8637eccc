import { createProjection } from "../../generator/service/projection.ts";
import { openRebuildCheckpoints } from "../../generator/service/rebuild/checkpoints.ts";
import { readPublishedPosition } from "../../generator/service/context.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { compareWithPublished, toDifferenceLine } from "../../generator/publish/compare.ts";
import { forkStores, type Stores } from "./forked-store.ts";
import { startProcess } from "./process.ts";

/**
 * What `generate rebuild --verify` names of what generators left behind: documents that differ, and objects of the journal
 * and its checkpoints that are not as they should be. Each a line; none: all is well.
 *
 * @param now milliseconds since 1970.
 */
export async function findUnverified(from: Stores, now: number): Promise<string[]> {
  const stores = forkStores(from);
  const offline = () => Promise.reject(new Error("a rebuild observes nothing"));
  const observer = {
    check: offline,
    snapshot: offline,
    confirm: offline,
    transactions: offline,
    close: () => Promise.resolve(),
  };
  const { context } = await startProcess({ ...stores, observer, now: () => now, holder: "rebuild" });
  const { signal } = new AbortController();
  const checkpoints = openRebuildCheckpoints(context, { verify: true, saveMilliseconds: Infinity, signal });
  const projection = createProjection({ ...context, now: () => now, checkpoints });
  const published = await readPublishedPosition(stores.stateStore, context);
  await projection.foldThrough(published?.through ?? null);
  const ledger = projection.ledger();
  const differences = await compareWithPublished({
    publicStore: stores.publicStore,
    network: context.network,
    references: allReferences(ledger),
    render: createRenderer(ledger).render,
  });
  const { digest } = projection.position() ?? { digest: null };
  return [
    ...differences.map(toDifferenceLine),
    ...projection.quarantined().map(({ object, reason }) => `${object}: ${reason}`),
    ...(digest === published?.digest ? [] : ["the manifest is of another journal"]),
  ].map((line) => `verified: ${line}`);
}
