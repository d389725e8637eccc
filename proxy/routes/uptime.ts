import { listUptime } from "../../generator/contract/lists.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { toAnswer } from "../answers/answer.ts";
import { toBody } from "../answers/envelope.ts";
import type { Documents } from "../held/documents.ts";
import { parseDocument } from "../held/parse-document.ts";
import { readDays, readVotePubkey } from "../http/parameters.ts";
import type { Route } from "../http/route.ts";

/** Endpoint 6: a validator's checks by day; with `days` only the newest recorded ones, and the sums over these. */
export function uptimeRoute(documents: Documents): Route {
  return {
    endpoint: "uptime",
    async answer({ network, names, query }) {
      const votePubkey = readVotePubkey(names["votePubkey"]);
      const days = readDays(query);
      const reading = await documents.get(network, "uptime", { votePubkey });
      const { value } = reading;
      if (value !== null && days === undefined) return { ...reading, value };
      const recorded = value === null ? [] : parseDocument("uptime", value.body).data;
      const document = listUptime({ network, votePubkey }, recorded, { days });
      return { ...reading, value: toAnswer(toBody(document), OBJECTS.uptime.cache) };
    },
  };
}
