import type { MevOptions } from "../../../generator/observe/mev/mev.ts";
import { parseEndpointUrl } from "../../../generator/rpc/endpoint-address.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { createClock } from "../fixtures.ts";
import { startServer, toExactJson, type TestServer } from "../../rpc/rpc-server.ts";

/** A MEV vendor on the loopback. */
interface Vendor {
  server: TestServer;
  /** Asks below a path of the server, with a minute. */
  ask<T>(path: string, task: (options: MevOptions, deadline: number) => Promise<T>): Promise<T>;
}

/**
 * @param answers one per request, then the last again: a status, a text, or JSON
 * @param failure body for a status
 */
export async function startVendor(answers: unknown[], failure: string): Promise<Vendor> {
  let count = 0;
  const server = await startServer((_, response) => {
    const answer = answers[Math.min(count++, answers.length - 1)];
    if (typeof answer === "number") return void response.writeHead(answer).end(failure);
    response.end(typeof answer === "string" ? answer : toExactJson(answer));
  });
  return {
    server,
    async ask(path, task) {
      const clock = createClock();
      const dispatcher = createDispatcher();
      const url = parseEndpointUrl(`${server.url}${path}`, "The MEV address");
      const options = { url, dispatcher, now: clock.now, sleep: clock.sleep, random: () => 0, signal: undefined };
      try {
        return await task(options, clock.now() + 60_000);
      } finally {
        await dispatcher.close();
      }
    },
  };
}
