import { toPlainLine } from "../contract/strangers-text.ts";

/**
 * Why a source could not be read. What each answer of an upstream counts as is decided in `rpc-verdict.ts`.
 * - `network`: no connection, or it broke before an answer began
 * - `timeout`: no answer in time, or no time left to ask
 * - `http`: a status other than 2xx; `code` is the status
 * - `body`: an answer that broke off, or is not the JSON it should be
 * - `oversized`: an answer longer than any that is expected
 * - `shape`: JSON of another shape than the method's
 * - `behind`: the node says it is behind the cluster, or its answers are of slots or epochs that do not go together
 * - `clock`: this machine's clock and the endpoint's are too far apart to date what it says
 * - `limited`: too many requests; the node is well
 * - `forbidden`: this address or key is not let in
 * - `refused`: this endpoint does not offer this; asking again is of no use
 * - `resting`: it was not asked, because it wants to be left alone or the budget of calls is spent
 * - `rpc`: any other JSON-RPC error; `code` is its code
 */
export type RpcErrorKind =
  | "network"
  | "timeout"
  | "http"
  | "body"
  | "oversized"
  | "shape"
  | "behind"
  | "clock"
  | "limited"
  | "forbidden"
  | "refused"
  | "resting"
  | "rpc";

interface RpcErrorOptions {
  kind: RpcErrorKind;
  message: string;
  code?: number | null;
  retryAfterMilliseconds?: number | null;
}

/**
 * A source that could not be read. The message names at most the origin of an address: path and query may hold a secret. It
 * is a plain line, whatever the source said: it goes to terminals, logs and the status.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorKind;
  /** HTTP status or JSON-RPC code, where there is one. */
  readonly code: number | null;
  /** How long the source asked to be left alone. */
  readonly retryAfterMilliseconds: number | null;

  constructor({ kind, message, code = null, retryAfterMilliseconds = null }: RpcErrorOptions) {
    // Not shortened: a part of a secret would be left where it was cut.
    super(toPlainLine(message, Infinity));
    this.kind = kind;
    this.code = code;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/** The same failure told in other words. */
export function toReworded({ kind, code, retryAfterMilliseconds }: RpcError, message: string): RpcError {
  return new RpcError({ kind, code, retryAfterMilliseconds, message });
}
