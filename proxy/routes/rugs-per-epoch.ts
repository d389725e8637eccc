import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toListBody } from "../cache/answer.ts";
import { readWholeNumber } from "./parameters.ts";
import type { Route } from "./route.ts";
import { getAnswer, type Snapshot } from "../cache/snapshot.ts";
import type { Snapshots } from "../cache/snapshots.ts";

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
      const reading = await snapshots.get(network);
      const snapshot = reading.value;
      const value = getAnswer(snapshot.answers, {
        key: `rugs-per-epoch ${epochs} ${offset}`,
        cache: OBJECTS.rugsPerEpoch.cache,
        toBody: () => toPageBody(snapshot, epochs, offset),
      });
      return { ...reading, value };
    },
  };
}

function toPageBody({ index, fragments }: Snapshot, epochs: number, offset: number): Uint8Array {
  const total = fragments.rugsPerEpoch.count;
  const end = Math.max(0, total - offset);
  return toListBody(fragments.rugsPerEpoch.range(Math.max(0, end - epochs), end), {
    network: index.network,
    latestEpoch: index.latestEpoch,
    epochs,
    offset,
    total,
    global: index.rugsGlobal,
  });
}
