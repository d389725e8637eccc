import { toPlainLine } from "../contract/strangers-text.ts";

/**
 * Why a source could not be read; {@link toErrorKind} decides.
 * - `network`: no connection, or it broke before an answer began
 * - `timeout`: no answer in time, or no time left to ask
 * - `http`: a status other than 2xx; `code` is the status
 * - `body`: an answer that broke off, or no JSON
 * - `oversized`: longer than any answer expected
 * - `shape`: JSON of another shape than the method's
 * - `behind`: behind the cluster, or of slots or epochs that do not go together
 * - `clock`: this machine's clock and the endpoint's are too far apart
 * - `limited`: too many requests; the node is well
 * - `forbidden`: this address or key is not let in
 * - `refused`: not offered here; asking again is of no use
 * - `resting`: not asked: left alone, or the budget of calls is spent
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
 * A source that could not be read. The message is a plain line and names at most the origin of an address: it goes to
 * terminals, logs and the status.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorKind;
  /** HTTP status or JSON-RPC code, where there is one. */
  readonly code: number | null;
  /** How long the source asked to be left alone. */
  readonly retryAfterMilliseconds: number | null;

  constructor({ kind, message, code = null, retryAfterMilliseconds = null }: RpcErrorOptions) {
    // Not shortened: a part of a secret would be left at the cut.
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

/** What an upstream said went wrong. */
interface Complaint {
  /** HTTP status. */
  status: number;
  /** Of the JSON-RPC error in the body, where there is one. */
  code?: number;
  message?: string;
}

/** Other statuses are `http`. */
const STATUSES = new Map<number, RpcErrorKind>([
  // Whoever goes on asking with a wrong key or from a blocked address stays blocked.
  [401, "forbidden"],
  [402, "forbidden"],
  [403, "forbidden"],
  // How some say that a method is switched off or a scan too large.
  [410, "refused"],
  [413, "refused"],
  [429, "limited"],
  [501, "refused"],
]);

/** Statuses stand among the JSON-RPC codes because gateways write them into the JSON of a 200 as well. */
const CODES = new Map<number, RpcErrorKind>([
  ...STATUSES,
  // Agave: the node is behind, or has not reached the slot.
  [-32_005, "behind"],
  [-32_016, "behind"],
  // Agave: not in the account indexes; no history of transactions; no such method.
  [-32_010, "refused"],
  [-32_011, "refused"],
  [-32_601, "refused"],
  // Our own mistake: no repetition mends it.
  [-32_700, "rpc"],
  [-32_600, "rpc"],
  [-32_602, "rpc"],
]);

/** Providers give these a code of their own, some of which mean something else on a node (-32005, -32007). */
const WORDS: readonly (readonly [RegExp, RpcErrorKind])[] = [
  [/too many requests|rate limit|request limit/i, "limited"],
  // Both point to the paged method, whatever the filter.
  [/request deprioritized|too many accounts requested/i, "refused"],
];

/** Statuses that pass besides those from 500 on. */
const PASSING_STATUSES = new Set([408, 425]);
/** A gateway lost patience with the node. */
const GATEWAY_STATUSES = new Set([502, 504, 524]);
const INTERNAL_ERROR = -32_603;

/** A 429 is one whatever its body says; else the words and the code know better than the status. */
export function toErrorKind({ status, code, message = "" }: Complaint): RpcErrorKind {
  if (status === 429) return "limited";
  const worded = WORDS.find(([pattern]) => pattern.test(message))?.[1];
  const coded = code === undefined ? undefined : CODES.get(code);
  return worded ?? coded ?? STATUSES.get(status) ?? (isSuccess(status) ? "rpc" : "http");
}

/** Whether a status lets the body be read as an answer. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Whether the same request may succeed a moment later on the same endpoint. */
export function isPassing({ kind, code }: RpcError): boolean {
  switch (kind) {
    case "network":
    case "timeout":
    case "body":
    case "limited":
      return true;
    case "http":
      return code !== null && (PASSING_STATUSES.has(code) || code >= 500);
    case "rpc":
      return code === INTERNAL_ERROR;
    case "oversized":
    case "shape":
    case "behind":
    case "clock":
    case "forbidden":
    case "refused":
    case "resting":
      return false;
  }
}

/** A scan that took too long does so again, costs the node a minute, and leaves no time for another way. */
export function isPassingForScan(error: RpcError): boolean {
  const { kind, code } = error;
  if (kind === "timeout" || kind === "body") return false;
  return isPassing(error) && !(kind === "http" && code !== null && GATEWAY_STATUSES.has(code));
}
