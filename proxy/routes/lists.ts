import { listEvents, listRugsPerEpoch, listValidators } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { SEARCHED_MAX_CODE_POINTS } from "../../generator/contract/search.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { toAnswer } from "../answer.ts";
import { search } from "../cache/search-table.ts";
import { getAnswer, type Snapshots } from "../cache/snapshots.ts";
import {
  readCollapse,
  readSearchText,
  readSeverity,
  readWholeNumber,
  type Query,
  type Route,
} from "./parameters.ts";

/** The operations that are computed from the snapshot, because they depend on a query. */
export function listRoutes(snapshots: Snapshots): Route[] {
  const route = <Parameters extends object>(
    operation: "validators" | "events" | "rugsPerEpoch",
    list: (index: SnapshotIndex, parameters: Parameters) => object,
    read: (query: Query) => Parameters,
  ): Route => ({
    operation,
    async answer({ network, query }) {
      const parameters = read(query);
      const cached = await snapshots.get(network);
      const key = `${operation} ${Object.values(parameters).join(" ")}`;
      const toDocument = () => list(cached.value.index, parameters);
      return {
        ...cached,
        value: getAnswer(cached.value, key, OBJECTS[operation].cache, toDocument),
      };
    },
  });
  return [
    route("validators", listValidators, (query) => ({
      page: readWholeNumber(query, PARAMETERS.page),
      limit: readWholeNumber(query, PARAMETERS.limit),
    })),
    route("events", listEvents, (query) => ({
      epochs: readWholeNumber(query, PARAMETERS.epochs),
      severity: readSeverity(query),
      collapse: readCollapse(query),
    })),
    route("rugsPerEpoch", listRugsPerEpoch, (query) => ({
      epochs: readWholeNumber(query, PARAMETERS.epochsPerPage),
      offset: readWholeNumber(query, PARAMETERS.offset),
    })),
    searchRoute(snapshots),
  ];
}

/** Keeps no answer: most texts are searched for once, and an answer takes 10 µs. */
function searchRoute(snapshots: Snapshots): Route {
  return {
    operation: "search",
    async answer({ network, query }) {
      const text = readSearchText(query);
      const cached = await snapshots.get(network);
      const isTooLong =
        text.length > SEARCHED_MAX_CODE_POINTS &&
        Array.from(text).length > SEARCHED_MAX_CODE_POINTS;
      const found = isTooLong ? [] : search(cached.value.search, text);
      const meta = JSON.stringify({ network, total: found.length, query: text });
      const value = toAnswer(
        `{"data":[${found.join(",")}],"meta":${meta}}`,
        OPERATIONS.search.cache,
      );
      return { ...cached, value };
    },
  };
}
