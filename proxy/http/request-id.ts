import { randomUUID } from "node:crypto";
import type { H3Event } from "h3";
import type { Header } from "../answer.ts";

/** Where a request keeps its id: a WeakMap takes eight times as long. */
const ID = Symbol("id of the request");

interface Identified {
  [ID]: string | undefined;
}

/** Returns the id of a request: ours, because a client's own could be that of another request. */
export function getRequestId(request: object): string {
  const own = request as Identified;
  return (own[ID] ??= randomUUID());
}

/** Returns the id of an event's request; behind a socket, it is that of Node's request. */
export function getEventId({ req, runtime }: H3Event): string {
  return getRequestId(runtime?.node?.req ?? req);
}

/** Tells the client the id of its request. */
export const toIdHeader = (id: string): Header => ["x-request-id", id];
