import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { SEARCHED_MAX_CODE_POINTS } from "../../generator/contract/search.ts";
import { toAnswer } from "../answers/answer.ts";
import { toListJson } from "../answers/envelope.ts";
import { readSearchText } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";
import { search } from "../answers/search-table.ts";
import { getAnswer, type Snapshot } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";

/** Endpoint 13: validators by name or vote account. */
export function searchRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const { value: snapshot, stale } = await snapshots.get(network);
      // Not looked for and not remembered: a stranger's long texts must not fill the memory.
      if (Array.from(text).length > SEARCHED_MAX_CODE_POINTS)
        return { value: toAnswer(toListJson([], { network, total: 0, query: text }), ENDPOINTS.search.cache), stale };
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
