import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import type { Network } from "../../generator/contract/networks.ts";
import { SEARCHED_MAX_CODE_POINTS } from "../../generator/contract/search.ts";
import { toAnswer } from "../answers/answer.ts";
import { toListBody } from "../answers/envelope.ts";
import { readSearchText } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";
import { search, type SearchResults } from "../answers/search-table.ts";
import { getAnswer } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";

/** Endpoint 13: validators by name or vote account. */
export function searchRoute(snapshots: Snapshots): Route {
  const { cache } = ENDPOINTS.search;
  return {
    endpoint: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const reading = await snapshots.get(network);
      const snapshot = reading.value;
      // Most texts are asked for once, and would only push more popular answers out of the fast lane.
      const freshUntil = snapshot.searches.has(text) ? reading.freshUntil : 0;
      // Not looked for and not remembered: a stranger's long texts must not fill the memory.
      const value = isTooLong(text)
        ? toAnswer(toResultsBody(network, text, { count: 0, items: new Uint8Array() }), cache)
        : getAnswer(snapshot.searches, {
            key: text,
            cache,
            toBody: () => toResultsBody(network, text, search(snapshot.search, text)),
          });
      return { ...reading, value, freshUntil };
    },
  };
}

function isTooLong(text: string): boolean {
  return text.length > SEARCHED_MAX_CODE_POINTS && Array.from(text).length > SEARCHED_MAX_CODE_POINTS;
}

function toResultsBody(network: Network, text: string, { count, items }: SearchResults): Uint8Array {
  return toListBody(items, { network, total: count, query: text });
}
