import { listValidators } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toBody } from "../answers/envelope.ts";
import { getAnswer } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";
import { readWholeNumber } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";

/** Endpoint 1: the listed validators by active stake, a page at a time. */
export function validatorsRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "validators",
    async answer({ network, query }) {
      const page = readWholeNumber(query, PARAMETERS.page);
      const limit = readWholeNumber(query, PARAMETERS.limit);
      const reading = await snapshots.get(network);
      const { answers, index } = reading.value;
      const value = getAnswer(answers, {
        key: `validators ${page} ${limit}`,
        cache: OBJECTS.validators.cache,
        toBody: () => toBody(listValidators(index, { page, limit })),
      });
      return { ...reading, value };
    },
  };
}
