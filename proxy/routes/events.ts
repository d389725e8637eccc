import type { Severity } from "../../generator/contract/event.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS } from "../../generator/contract/parameters.ts";
import { toListBody } from "../cache/answer.ts";
import { readSeverity, readWholeNumber } from "./parameters.ts";
import type { Route } from "./route.ts";
import { getAnswer, type Snapshot } from "../cache/snapshot.ts";
import type { Snapshots } from "../cache/snapshots.ts";

/** Endpoint 8: the events of the newest epochs across all validators, of one severity or of all. */
export function eventsRoute(snapshots: Snapshots): Route {
  return {
    endpoint: "events",
    async answer({ network, query }) {
      const epochs = readWholeNumber(query, PARAMETERS.epochs);
      const severity = readSeverity(query);
      const reading = await snapshots.get(network);
      const snapshot = reading.value;
      const value = getAnswer(snapshot.answers, {
        key: `events ${epochs} ${severity}`,
        cache: OBJECTS.events.cache,
        toBody: () => toEventsBody(snapshot, epochs, severity),
      });
      return { ...reading, value };
    },
  };
}

function toEventsBody({ index, fragments }: Snapshot, epochs: number, severity: Severity | null): Uint8Array {
  const { network, latestEpoch, events } = index;
  // Epoch numbers are counted, not epochs with events in them.
  const after = (latestEpoch ?? 0) - epochs;
  const shown = [...events.keys()].filter((place) => {
    const event = events[place];
    return event !== undefined && event.epoch > after && (severity === null || event.severity === severity);
  });
  const meta = { network, total: shown.length, latestEpoch, epochs, severity };
  return toListBody(fragments.events.pick(shown), meta);
}
