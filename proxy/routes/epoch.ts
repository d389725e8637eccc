import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { toAnswer } from "../answer.ts";
import { toJson } from "../envelope.ts";
import type { LiveEpoch } from "../live-epoch.ts";
import type { Route } from "../route.ts";

/** Endpoint 12: progress of the running epoch. */
export function epochRoute(liveEpoch: LiveEpoch): Route {
  return {
    endpoint: "epoch",
    async answer({ network }) {
      const epoch = await liveEpoch.get(network);
      return { value: toAnswer(toJson(epoch, { network }), ENDPOINTS.epoch.cache), stale: false };
    },
  };
}
