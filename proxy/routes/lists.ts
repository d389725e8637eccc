import { listEvents, listRugsPerEpoch, listValidators } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { getAnswer } from "../cache/snapshot.ts";
import type { Snapshots } from "../cache/snapshots.ts";
import { readSeverity, readWholeNumber, type Query } from "./parameters.ts";
import type { Route } from "./route.ts";

/** Endpoints 1, 8 and 10: the lists that depend on a query, made of the snapshot. */
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
      return { key: `${epochs} ${severity}`, toDocument: (index) => listEvents(index, { epochs, severity }) };
    }),
    listRoute(snapshots, "rugsPerEpoch", (query) => {
      const epochs = readWholeNumber(query, PARAMETERS.epochsPerPage);
      const offset = readWholeNumber(query, PARAMETERS.offset);
      return { key: `${epochs} ${offset}`, toDocument: (index) => listRugsPerEpoch(index, { epochs, offset }) };
    }),
  ];
}

/** What a query asks for: a key that names all of its parameters, and what is answered. */
interface List {
  key: string;
  toDocument: (index: SnapshotIndex) => object;
}

function listRoute(
  snapshots: Snapshots,
  endpoint: "validators" | "events" | "rugsPerEpoch",
  read: (query: Query) => List,
): Route {
  return {
    endpoint,
    async answer({ network, query }) {
      const { key, toDocument } = read(query);
      const reading = await snapshots.get(network);
      const { answers, index } = reading.value;
      const value = getAnswer(answers, {
        key: `${endpoint} ${key}`,
        cache: OBJECTS[endpoint].cache,
        toBody: () => JSON.stringify(toDocument(index)),
      });
      return { ...reading, value };
    },
  };
}
