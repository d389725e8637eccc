import { COMPACT_LACKS, type CommissionEvent } from "../../generator/contract/event.ts";
import {
  listEvents,
  listRugsPerEpoch,
  listValidators,
  type EventsWanted,
} from "../../generator/contract/lists.ts";
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
  readOneOf,
  readPubkey,
  readSearchText,
  readSomeOf,
  readWholeNumber,
  type Query,
  type Route,
} from "./parameters.ts";
import {
  readValidatorsWanted,
  selectValidators,
  type ValidatorsWanted,
} from "./select-validators.ts";

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
      const key = `${operation} ${JSON.stringify(parameters)}`;
      const toDocument = () => list(cached.value.index, parameters);
      return {
        ...cached,
        value: getAnswer(cached.value, key, OBJECTS[operation].cache, toDocument),
      };
    },
  });
  return [
    route("validators", listWantedValidators, (query) => ({
      page: readWholeNumber(query, PARAMETERS.page),
      limit: readWholeNumber(query, PARAMETERS.limit),
      ...readValidatorsWanted(query),
    })),
    route("events", listWantedEvents, (query) => ({
      epochs: readWholeNumber(query, PARAMETERS.epochs),
      severities: readSomeOf(query, PARAMETERS.severity),
      source: readOneOf(query, PARAMETERS.source) ?? null,
      votePubkey: readPubkey(query, PARAMETERS.votePubkeyInQuery),
      isCollapsed: readCollapse(query),
      isCompact: readOneOf(query, PARAMETERS.fields) === "compact",
    })),
    route("rugsPerEpoch", listRugsPerEpoch, (query) => ({
      epochs: readWholeNumber(query, PARAMETERS.epochsPerPage),
      offset: readWholeNumber(query, PARAMETERS.offset),
    })),
    searchRoute(snapshots),
  ];
}

function listWantedValidators(
  index: SnapshotIndex,
  { page, limit, ...wanted }: ValidatorsWanted & { page: number; limit: number },
): object {
  const validators = selectValidators(index.validators, wanted);
  const { data, meta } = listValidators({ ...index, validators }, { page, limit });
  if (wanted.votePubkeys === null) return { data, meta };
  const listed = new Set(index.validators.map(({ votePubkey }) => votePubkey));
  return { data, meta: { ...meta, unknown: wanted.votePubkeys.filter((key) => !listed.has(key)) } };
}

function listWantedEvents(
  index: SnapshotIndex,
  { isCompact, ...wanted }: EventsWanted & { isCompact: boolean },
): object {
  const { data, meta } = listEvents(index, wanted);
  return isCompact ? { data: data.map(toCompact), meta } : { data, meta };
}

function toCompact(event: CommissionEvent): object {
  return Object.fromEntries(Object.entries(event).filter(([field]) => !LACKING.has(field)));
}

const LACKING: ReadonlySet<string> = new Set(COMPACT_LACKS);

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
