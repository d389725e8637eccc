import { listEvents, listRugsPerEpoch, listValidators } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { SEARCHED_MAX_CODE_POINTS } from "../../generator/contract/search.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer } from "../cache/answer.ts";
import { search } from "../cache/search-table.ts";
import { getAnswer, type Snapshots } from "../cache/snapshots.ts";
import { readCollapse, readSearchText, readSeverity, readWholeNumber, type Query, type Route } from "./parameters.ts";

/** The operations that are computed from the snapshot, because they depend on a query. */
export function listRoutes(snapshots: Snapshots): Route[] {
  return [
    listRoute(snapshots, "validators", (query) => {
      const page = readWholeNumber(query, PARAMETERS.page);
      const limit = readWholeNumber(query, PARAMETERS.limit);
      return { key: `${page} ${limit}`, toDocument: (index) => listValidators(index, { page, limit }) };
    }),
    listRoute(snapshots, "events", (query) => {
      const epochs = readWholeNumber(query, PARAMETERS.epochs);
      const severity = readSeverity(query);
      const collapse = readCollapse(query);
      const toDocument = (index: SnapshotIndex) => listEvents(index, { epochs, severity, collapse });
      return { key: `${epochs} ${severity} ${collapse}`, toDocument };
    }),
    listRoute(snapshots, "rugsPerEpoch", (query) => {
      const epochs = readWholeNumber(query, PARAMETERS.epochsPerPage);
      const offset = readWholeNumber(query, PARAMETERS.offset);
      return { key: `${epochs} ${offset}`, toDocument: (index) => listRugsPerEpoch(index, { epochs, offset }) };
    }),
    searchRoute(snapshots),
  ];
}

interface List {
  key: string;
  toDocument: (index: SnapshotIndex) => object;
}

function listRoute(
  snapshots: Snapshots,
  operation: "validators" | "events" | "rugsPerEpoch",
  read: (query: Query) => List,
): Route {
  return {
    operation,
    async answer({ network, query }) {
      const { key, toDocument } = read(query);
      const reading = await snapshots.get(network);
      const snapshot = reading.value;
      const toBody = () => toDocument(snapshot.index);
      return { ...reading, value: getAnswer(snapshot, `${operation} ${key}`, OBJECTS[operation].cache, toBody) };
    },
  };
}

/** Keeps no answer: most texts are searched for once, and an answer takes 10 µs. */
function searchRoute(snapshots: Snapshots): Route {
  return {
    operation: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const reading = await snapshots.get(network);
      const found = isTooLong(text) ? [] : search(reading.value.search, text);
      const meta = JSON.stringify({ network, total: found.length, query: text });
      const value = toAnswer(`{"data":[${found.join(",")}],"meta":${meta}}`, OPERATIONS.search.cache);
      return { ...reading, value, freshUntil: 0 };
    },
  };
}

function isTooLong(text: string): boolean {
  return text.length > SEARCHED_MAX_CODE_POINTS && Array.from(text).length > SEARCHED_MAX_CODE_POINTS;
}
