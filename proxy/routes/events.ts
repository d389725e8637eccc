import { listEvents } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toBody } from "../answers/envelope.ts";
import { getAnswer } from "../answers/snapshot.ts";
import type { Snapshots } from "../held/snapshots.ts";
import { readSeverity, readWholeNumber } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";

/** Endpoint 8: the events of the newest epochs across all validators, of one severity or of all. */
export function eventsRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "events",
    async answer({ network, query }) {
      const epochs = readWholeNumber(query, PARAMETERS.epochs);
      const severity = readSeverity(query);
      const reading = await snapshots.get(network);
      const { answers, index } = reading.value;
      const value = getAnswer(answers, {
        key: `events ${epochs} ${severity}`,
        cache: OBJECTS.events.cache,
        toBody: () => toBody(listEvents(index, { epochs, severity })),
      });
      return { ...reading, value };
    },
  };
}
