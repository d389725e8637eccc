import type { IncomingMessage, ServerResponse } from "node:http";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { getRequestId } from "../http/request-id.ts";

/** A request and what became of it. */
export interface AnsweredRequest {
  requestId: string;
  route: string;
  method: string;
  /** 0: the client left before it had the whole answer. */
  status: number;
  seconds: number;
  /** Sent on the connection during the request, headers and pipelined neighbours included. */
  sentBytes: number;
}

/** Reports a request when the kernel has its answer's last byte. @param steadyNow milliseconds */
export function createRequestObserver(
  steadyNow: () => number,
  onAnswered: (request: AnsweredRequest) => void,
) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "", url = "", socket } = request;
    const startedAt = steadyNow();
    const sentBefore = socket.bytesWritten;
    response.once("close", () => {
      const seconds = (steadyNow() - startedAt) / 1000;
      const status = response.writableFinished ? response.statusCode : 0;
      onAnswered({
        requestId: getRequestId(request),
        route: toRouteName(url),
        method,
        status,
        seconds,
        sentBytes: socket.bytesWritten - sentBefore,
      });
    });
  };
}

/** For operators: not in the API, and without a limit. */
export const HEALTH_PATHS = ["/healthz", "/readyz"] as const;

/** The route of all other paths: strangers must not make up counters. */
export const UNKNOWN_ROUTE = "unknown";

const ROUTES = [...Object.values(OPERATIONS).map(({ path }) => path), ...HEALTH_PATHS].map(
  (template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }),
);

/** Returns the template of a path, or {@link UNKNOWN_ROUTE}. */
export function toRouteName(target: string): string {
  const path = target.split("?", 1)[0] ?? "";
  return ROUTES.find(({ pattern }) => pattern.test(path))?.template ?? UNKNOWN_ROUTE;
}
