import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toListJson } from "../answers/envelope.ts";
import { readWholeNumber } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";
import { getAnswer, type Snapshot } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";

/**
 * Endpoint 10: RUG events by tracked epoch, a page of epochs at a time. The page ends `offset` epochs before the latest;
 * within it the oldest comes first.
 */
export function rugsPerEpochRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "rugsPerEpoch",
    async answer({ network, query }) {
      const epochs = readWholeNumber(query, PARAMETERS.epochsPerPage);
      const offset = readWholeNumber(query, PARAMETERS.offset);
      const { value: snapshot, stale } = await snapshots.get(network);
      const value = getAnswer(snapshot, {
        key: `rugs-per-epoch ${epochs} ${offset}`,
        cache: OBJECTS.rugsPerEpoch.cache,
        toJson: () => toPageJson(snapshot, epochs, offset),
      });
      return { value, stale };
    },
  };
}

function toPageJson({ index, rugsPerEpoch }: Snapshot, epochs: number, offset: number): string {
  const end = Math.max(0, rugsPerEpoch.length - offset);
  return toListJson(rugsPerEpoch.slice(Math.max(0, end - epochs), end), {
    network: index.network,
    latestEpoch: index.latestEpoch,
    epochs,
    offset,
    total: rugsPerEpoch.length,
    global: index.rugsGlobal,
  });
}
