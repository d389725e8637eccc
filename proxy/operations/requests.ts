import type { IncomingMessage, ServerResponse } from "node:http";
import { OPERATIONS } from "../../generator/contract/operations.ts";

export interface AnsweredRequest {
  route: string;
  method: string;
  /** Of the answer; 0: the client was gone before it had all of it. */
  status: number;
  seconds: number;
  /** Sent on the connection since the request began, headers included. With pipelining those of its neighbours too. */
  sentBytes: number;
}

/** Tells of requests when the kernel has the last byte of their answer, whatever answered them. @param steadyNow milliseconds */
export function createRequestObserver(steadyNow: () => number, onAnswered: (request: AnsweredRequest) => void) {
  return ({ method = "", url = "", socket }: IncomingMessage, response: ServerResponse): void => {
    const startedAt = steadyNow();
    const sentBefore = socket.bytesWritten;
    response.once("close", () => {
      const seconds = (steadyNow() - startedAt) / 1000;
      const status = response.writableFinished ? response.statusCode : 0;
      onAnswered({ route: toRouteName(url), method, status, seconds, sentBytes: socket.bytesWritten - sentBefore });
    });
  };
}

/** Paths for those who run the proxy; they are no part of the API and outside of its rate limit. */
export const HEALTH_PATHS = ["/healthz", "/readyz"] as const;

/** What a path is counted under when it is none of ours: never the path itself, or strangers could make up new counters. */
export const UNKNOWN_ROUTE = "unknown";

const ROUTES = [...Object.values(OPERATIONS).map(({ path }) => path), ...HEALTH_PATHS].map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

export function toRouteName(target: string): string {
  const path = target.split("?", 1)[0] ?? "";
  return ROUTES.find(({ pattern }) => pattern.test(path))?.template ?? UNKNOWN_ROUTE;
}
