import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toListBody } from "../cache/answer.ts";
import { readWholeNumber } from "./parameters.ts";
import type { Route } from "./route.ts";
import { getAnswer, type Snapshot } from "../cache/snapshot.ts";
import type { Snapshots } from "../cache/snapshots.ts";

/** Endpoint 1: the listed validators by active stake, a page at a time. A page past the end is empty. */
export function validatorsRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "validators",
    async answer({ network, query }) {
      const page = readWholeNumber(query, PARAMETERS.page);
      const limit = readWholeNumber(query, PARAMETERS.limit);
      const reading = await snapshots.get(network);
      const snapshot = reading.value;
      const value = getAnswer(snapshot.answers, {
        key: `validators ${page} ${limit}`,
        cache: OBJECTS.validators.cache,
        toBody: () => toPageBody(snapshot, page, limit),
      });
      return { ...reading, value };
    },
  };
}

function toPageBody({ index, fragments }: Snapshot, page: number, limit: number): Uint8Array {
  const total = fragments.validators.count;
  const start = (page - 1) * limit;
  return toListBody(fragments.validators.range(start, start + limit), {
    network: index.network,
    page,
    limit,
    total,
    totalPages: Math.ceil(total / limit),
    networkStake: index.networkStake,
    snapshotAt: index.snapshotAt,
  });
}
