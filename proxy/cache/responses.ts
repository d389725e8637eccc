import type { IncomingMessage } from "node:http";
import type { Source } from "../http/reply.ts";
import { createPlace, MEMORY, toSize, type OnPlace } from "./memory.ts";

/** What was answered a moment ago, given again without the app; coding and conditions are still decided for each request. */
export class Responses {
  readonly #sources;
  readonly #now;

  constructor(now: () => number, onPlace?: OnPlace) {
    this.#now = now;
    this.#sources = createPlace<Source & { since: number }>("responses", MEMORY.responsesMaxBytes, onPlace);
  }

  find({ method, url = "", headers }: IncomingMessage): Source | null {
    if ((method !== "GET" && method !== "HEAD") || headers["if-match"] !== undefined) return null;
    const found = this.#sources.get(url);
    if (found === undefined) return null;
    const time = this.#now();
    // A clock that was set back must not keep an answer for an hour.
    if (time < found.reading.freshUntil && time >= found.since) return found;
    this.#sources.delete(url);
    return null;
  }

  add({ url = "" }: IncomingMessage, { reading, variants }: Source): void {
    const since = this.#now();
    if (reading.freshUntil <= since) return;
    this.#sources.set(url, { reading, variants, since }, toSize(url.length + reading.value.body.byteLength));
  }
}
