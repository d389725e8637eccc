import { onTestFinished } from "vitest";
import type { MevOptions } from "../../../generator/observe/mev/vendor-api.ts";
import { parseEndpointUrl } from "../../../generator/rpc/endpoint-address.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { openServer } from "../../rpc/open-server.ts";
import { toJson } from "../../cluster/rpc/json.ts";
import { createClock } from "../fixtures.ts";

/**
 * A MEV vendor on the loopback, asked below a path, with a minute.
 * @param answers one per request, then the last again: a status, a text, or JSON
 * @param failure body for a status
 */
export async function startVendor(answers: unknown[], { failure = "", path = "" }) {
  let count = 0;
  const { asked, url } = await openServer((_, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    if (typeof answer === "number") return void response.writeHead(answer).end(failure);
    response.end(typeof answer === "string" ? answer : toJson(answer));
  });
  const dispatcher = createDispatcher();
  onTestFinished(() => dispatcher.close());
  const { now, sleep } = createClock();
  const parsed = parseEndpointUrl(`${url}${path}`, "The MEV address");
  const options: MevOptions = {
    url: parsed,
    dispatcher,
    now,
    sleep,
    random: () => 0,
    signal: undefined,
  };
  return { asked, options: { ...options, deadline: now() + 60_000 } };
}
