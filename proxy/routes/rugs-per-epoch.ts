import { listRugsPerEpoch } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toBody } from "../answers/envelope.ts";
import { getAnswer } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";
import { readWholeNumber } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";

/** Endpoint 10: RUG events by tracked epoch, a page of epochs at a time. */
export function rugsPerEpochRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "rugsPerEpoch",
    async answer({ network, query }) {
      const epochs = readWholeNumber(query, PARAMETERS.epochsPerPage);
      const offset = readWholeNumber(query, PARAMETERS.offset);
      const reading = await snapshots.get(network);
      const { answers, index } = reading.value;
      const value = getAnswer(answers, {
        key: `rugs-per-epoch ${epochs} ${offset}`,
        cache: OBJECTS.rugsPerEpoch.cache,
        toBody: () => toBody(listRugsPerEpoch(index, { epochs, offset })),
      });
      return { ...reading, value };
    },
  };
}
