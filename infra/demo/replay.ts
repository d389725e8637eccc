import type { Entry } from "../../generator/entries/entry.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import { startSeries } from "../../generator/journal/series.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import type { Cluster } from "../../test/cluster/cluster.ts";

/** That an event stands. */
export interface Answer {
  event: string;
  reason: string;
}

/**
 * Journals observations of a cluster as if they had just been made, and what the operator answered
 * after them.
 * @param stateStore has no journal of the network yet
 */
export async function replay(
  stateStore: ObjectStore,
  { options: { network, startsAt }, genesisHash: genesis }: Cluster,
  { entries, answers = [] }: { entries: readonly Entry[]; answers?: readonly Answer[] },
): Promise<void> {
  const since = new Date(startsAt).toISOString();
  const { series } = await startSeries(stateStore, { network, genesis, since });
  const journal = openJournal({ store: stateStore, network, series });
  let after: string | null = null;
  for (const entry of entries) after = await journal.append(entry);
  const ruledAt = entries.at(-1)?.time ?? since;
  for (const { event: id, reason } of answers)
    await journal.rule({
      ...{ format: 1, network, ruledAt, after },
      ...{ subject: { of: "event", id }, verdict: "accept", reason },
    });
}
