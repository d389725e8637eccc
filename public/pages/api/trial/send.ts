import { readBody, type Body } from "./body.ts";
import type { Trial } from "./request.ts";

/** What came of a request; null: nothing was answered. */
export type Outcome = Received | null;

export interface Received {
  status: number;
  /** All that the page may read, names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: Body;
  /** From the request to the end of the body, as the reader's clock has it. */
  milliseconds: number;
}

const DEADLINE_MILLISECONDS = 20_000;

/** Sends a request past the browser's cache, so that what is shown is the API's word. */
export async function send({ target, headers }: Trial, signal: AbortSignal): Promise<Outcome> {
  const start = performance.now();
  try {
    const response = await fetch(target, {
      cache: "no-store",
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MILLISECONDS)]),
    });
    const body = await readBody(response);
    const { status } = response;
    return { status, headers: new Map(response.headers), body, milliseconds: performance.now() - start };
  } catch {
    // Not reached, given up, or cut in the middle: fetch tells pages none of them apart.
    return null;
  }
}
