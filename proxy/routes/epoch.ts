import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { toAnswer } from "../answers/answer.ts";
import { toJson } from "../answers/envelope.ts";
import type { LiveEpoch } from "../held/live-epoch.ts";
import type { Route } from "../http/route.ts";

/** Endpoint 12: progress of the running epoch. */
export function epochRoute(liveEpoch: LiveEpoch): Route {
  return {
    endpoint: "epoch",
    async answer({ network }) {
      const reading = await liveEpoch.get(network);
      return { ...reading, value: toAnswer(toJson(reading.value, { network }), ENDPOINTS.epoch.cache) };
    },
  };
}
