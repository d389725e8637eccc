import { OPERATIONS } from "../../generator/contract/operations.ts";
import { SEARCHED_MAX_CODE_POINTS } from "../../generator/contract/search.ts";
import { toAnswer } from "../cache/answer.ts";
import { search, type SearchResults } from "../cache/search-table.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import { readSearchText } from "./parameters.ts";
import type { Route } from "./route.ts";

const DATA = Buffer.from('{"data":[');
const NOTHING: SearchResults = { count: 0, items: new Uint8Array() };

/** Endpoint 13: validators by name or vote account. */
export function searchRoute(snapshots: Snapshots): Route {
  const { cache } = OPERATIONS.search;
  return {
    endpoint: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const reading = await snapshots.get(network);
      const { searches, search: table } = reading.value;
      const known = searches.get(text);
      if (known !== undefined) return { ...reading, value: known };
      // Not looked for and not remembered: a stranger's long texts must not fill the memory.
      const results = isTooLong(text) ? NOTHING : search(table, text);
      const value = toAnswer(toListBody(results.items, { network, total: results.count, query: text }), cache);
      if (results !== NOTHING) searches.offer(text, value);
      // Most texts are asked for once, and would only push out what is asked for again.
      return { ...reading, value, freshUntil: 0 };
    },
  };
}

/** The document around results that are JSON in UTF-8 already, with commas between them. */
function toListBody(items: Uint8Array, meta: object): Uint8Array {
  return Buffer.concat([DATA, items, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]);
}

function isTooLong(text: string): boolean {
  return text.length > SEARCHED_MAX_CODE_POINTS && Array.from(text).length > SEARCHED_MAX_CODE_POINTS;
}
