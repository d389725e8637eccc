import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { startSeries } from "../../generator/journal/series.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import type { Cluster } from "../../test/cluster/cluster.ts";

/**
 * Journals observations of a cluster as if they had just been made.
 * @param stateStore has no journal of the network yet
 */
export async function replay(
  stateStore: ObjectStore,
  { options: { network, startsAt }, genesisHash: genesis }: Cluster,
  entries: readonly Entry[],
): Promise<void> {
  const since = new Date(startsAt).toISOString();
  const { series } = await startSeries(stateStore, { network, genesis, since });
  const journal = openJournal({ store: stateStore, network, series });
  for (const entry of entries) await journal.append(entry);
}
