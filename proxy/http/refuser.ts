import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Origin } from "../limits/client-address.ts";
import type { Allowance } from "../limits/limiter.ts";
import type { ApiError } from "./api-error.ts";
import { rateLimited, toLimitHeaders, type Gate } from "./gate.ts";
import { FIXED_HEADERS, toErrorReply } from "./reply.ts";

export interface RefuserOptions {
  gate: Gate;
  /** Told the status of each refusal, also if its client does not wait for it. */
  onRefused: (status: number) => void;
}

/** Sends refusals. Each counts as a request, tells what is left of the limit, and ends its connection. */
export interface Refuser {
  /** Of a request whose head could be read: it counts as in the app, and over the limit it is a 429 as it would be there. */
  refuseRequest(request: IncomingMessage, response: ServerResponse, error: ApiError): void;
  /**
   * Of bytes that are no request. They count as one of the other end of their connection, also where that is a trusted proxy,
   * since nobody can know whom the proxy heard: clients it does tell of are counted apart, and lose nothing. Nor does a limit
   * that is used up change the answer, be it by another stranger: bytes that cannot be read are not worth sending again.
   */
  refuseBytes(socket: Socket, response: ServerResponse, error: ApiError): void;
}

export function createRefuser({ gate, onRefused }: RefuserOptions): Refuser {
  function answer(response: ServerResponse, origin: Origin, choose: (allowance: Allowance) => ApiError): void {
    const send = (allowance: Allowance) => {
      const { status, headers, moreHeaders, body } = toErrorReply(choose(allowance));
      const sent = [...FIXED_HEADERS, ...headers, ...moreHeaders, ...toLimitHeaders(allowance)];
      // Without a reason phrase, as the app answers.
      response.writeHead(status, "", sent.flat()).end(body);
      onRefused(status);
    };
    response.shouldKeepAlive = false;
    const allowance = gate(origin);
    if (allowance instanceof Promise) void allowance.then(send, () => response.destroy());
    else send(allowance);
  }

  return {
    refuseRequest(request, response, error) {
      answer(response, toOrigin(request), (allowance) => (allowance.allowed ? error : rateLimited(allowance)));
    },
    refuseBytes(socket, response, error) {
      answer(response, { peer: socket.remoteAddress, getHeader: () => null }, () => error);
    },
  };
}

function toOrigin({ socket, headers }: IncomingMessage): Origin {
  const getHeader = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  };
  return { peer: socket.remoteAddress, getHeader };
}
