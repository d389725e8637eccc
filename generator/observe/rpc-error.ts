/**
 * Why a source could not be read.
 * - `network`: no connection, or it broke before the answer was whole
 * - `timeout`: no answer in time, or no time left to ask
 * - `http`: a status other than 2xx; `code` is the status
 * - `body`: an answer that is not the JSON it should be, or is too long
 * - `shape`: JSON of another shape than the method's
 * - `behind`: the node says it is behind the cluster (-32005)
 * - `refused`: this endpoint does not offer this (-32010, -32601, 410); asking again is of no use
 * - `rpc`: any other JSON-RPC error; `code` is its code
 */
export type RpcErrorKind = "network" | "timeout" | "http" | "body" | "shape" | "behind" | "refused" | "rpc";

interface RpcErrorOptions {
  kind: RpcErrorKind;
  message: string;
  code?: number | null;
  retryAfterMilliseconds?: number | null;
}

/** A source that could not be read. The message names at most the origin of an address: path and query may hold a secret. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorKind;
  /** HTTP status or JSON-RPC code, where there is one. */
  readonly code: number | null;
  /** How long the source asked to be left alone. */
  readonly retryAfterMilliseconds: number | null;

  constructor({ kind, message, code = null, retryAfterMilliseconds = null }: RpcErrorOptions) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/** The same failure told in other words. */
export function toReworded({ kind, code, retryAfterMilliseconds }: RpcError, message: string): RpcError {
  return new RpcError({ kind, code, retryAfterMilliseconds, message });
}

/** JSON-RPC codes that pass by themselves: too many requests, internal error. */
const PASSING_RPC_CODES = new Set([429, -32_603]);
const PASSING_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Whether the same request may succeed a moment later on the same endpoint. */
export function isPassing(error: RpcError): boolean {
  switch (error.kind) {
    case "network":
    case "timeout":
    case "body":
      return true;
    case "http":
      return error.code !== null && PASSING_STATUSES.has(error.code);
    case "rpc":
      return error.code !== null && PASSING_RPC_CODES.has(error.code);
    case "behind":
    case "refused":
    case "shape":
      return false;
  }
}
