import { createProjection } from "../../generator/service/projection/projection.ts";
import { openRebuildCheckpoints } from "../../generator/service/rebuild/checkpoints.ts";
import { readPublishedPosition } from "../../generator/service/context.ts";
import { allReferences } from "../../generator/documents/references.ts";
import { createRenderer } from "../../generator/documents/render.ts";
import { compareWithPublished } from "../../generator/publish/compare.ts";
import { makeStation, type Stores } from "../service/offline.ts";

/** What `generate rebuild --verify` says. @param now milliseconds since 1970 */
export async function verify(stores: Stores, now: number) {
  const context = makeStation({ ...stores, now, holder: "rebuild" });
  const { signal } = new AbortController();
  const checkpoints = openRebuildCheckpoints(context, {
    verify: true,
    saveMilliseconds: Infinity,
    signal,
  });
  const projection = createProjection({ ...context, now: context.clock.now, checkpoints });
  const published = await readPublishedPosition(stores.stateStore, context);
  await projection.foldThrough(published?.through ?? null);
  const ledger = projection.ledger();
  const differences = await compareWithPublished({
    publicStore: stores.publicStore,
    network: context.network,
    references: allReferences(ledger),
    ...createRenderer(ledger),
  });
  const isOfJournal = (projection.position()?.digest ?? null) === (published?.digest ?? null);
  return { differences, quarantined: projection.quarantined(), isOfJournal };
}
