import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { toListJson } from "../envelope.ts";
import { readSearchText } from "../parameters.ts";
import type { Route } from "../route.ts";
import { search } from "../search-table.ts";
import { getAnswer, type Snapshot } from "../snapshot.ts";
import type { Snapshots } from "../snapshots.ts";

/** Endpoint 13: validators by name or vote account. */
export function searchRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const { value: snapshot, stale } = await snapshots.get(network);
      const value = getAnswer(snapshot, {
        key: `search ${text}`,
        cache: ENDPOINTS.search.cache,
        toJson: () => toResultsJson(snapshot, text),
      });
      return { value, stale };
    },
  };
}

function toResultsJson(snapshot: Snapshot, text: string): string {
  const results = search(snapshot.search, text);
  return toListJson(results, { network: snapshot.index.network, total: results.length, query: text });
}
