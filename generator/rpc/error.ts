import { toPlainLine } from "../contract/strangers-text.ts";

/**
 * Why a source could not be read; {@link toErrorKind} decides.
 * - `network`: no connection, or broken before an answer
 * - `timeout`: no answer in time, or no time left to ask
 * - `http`: another status than 2xx
 * - `body`: an answer cut short, or no JSON
 * - `oversized`: longer than expected
 * - `shape`: JSON of another shape
 * - `behind`: behind the cluster, or slots and epochs that contradict each other
 * - `clock`: this machine's clock and the endpoint's disagree
 * - `limited`: too many requests; the node is well
 * - `forbidden`: address or key not let in
 * - `refused`: not offered; do not ask again
 * - `resting`: not asked, as it wants a pause or the budget is spent
 * - `rpc`: any other JSON-RPC error
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
 * A source could not be read. The message is one line
 * without secrets: logs, terminals and the status show it.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorKind;
  /** HTTP status or JSON-RPC code, if any. */
  readonly code: number | null;
  /** The pause that the source asked for. */
  readonly retryAfterMilliseconds: number | null;

  constructor({ kind, message, code = null, retryAfterMilliseconds = null }: RpcErrorOptions) {
    // A cut could leave a part of a secret.
    super(toPlainLine(message, Infinity));
    this.kind = kind;
    this.code = code;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/**
 * The client's messages begin with the endpoint's label, where its reader may know that already.
 */
export function withoutLabel(message: string, label: string): string {
  return message.startsWith(label) ? message.slice(label.length).replace(/^:? /, "") : message;
}

/** The same failure in other words. */
export function toReworded(
  { kind, code, retryAfterMilliseconds }: RpcError,
  message: string,
): RpcError {
  return new RpcError({ kind, code, retryAfterMilliseconds, message });
}

interface Complaint {
  status: number;
  code?: number;
  message?: string;
}

const STATUSES = new Map<number, RpcErrorKind>([
  // Asking again would keep the address blocked.
  [401, "forbidden"],
  [402, "forbidden"],
  [403, "forbidden"],
  // Some use it for a disabled method or a scan too large.
  [410, "refused"],
  [413, "refused"],
  [429, "limited"],
  [501, "refused"],
]);

/** Gateways also write statuses into the JSON of a 200. */
const CODES = new Map<number, RpcErrorKind>([
  ...STATUSES,
  // Agave: behind, or slot not reached.
  [-32_005, "behind"],
  [-32_016, "behind"],
  // Agave: no account index, no history of transactions, no such method.
  [-32_010, "refused"],
  [-32_011, "refused"],
  [-32_601, "refused"],
  // Our mistake: repeating does not help.
  [-32_700, "rpc"],
  [-32_600, "rpc"],
  [-32_602, "rpc"],
]);

/** Providers' own codes may mean something else on a node (-32005, -32007). */
const WORDS: readonly (readonly [RegExp, RpcErrorKind])[] = [
  [/too many requests|rate limit|request limit/i, "limited"],
  // Both mean: use the paged method, whatever the filter.
  [/request deprioritized|too many accounts requested/i, "refused"],
];

const PASSING_STATUSES = new Set([408, 425]);
/** The gateway's own time-out. */
const GATEWAY_STATUSES = new Set([502, 504, 524]);
const INTERNAL_ERROR = -32_603;

/** 429 always counts; otherwise words and code say more than the status. */
export function toErrorKind({ status, code, message = "" }: Complaint): RpcErrorKind {
  if (status === 429) return "limited";
  const worded = WORDS.find(([pattern]) => pattern.test(message))?.[1];
  const coded = code === undefined ? undefined : CODES.get(code);
  return worded ?? coded ?? STATUSES.get(status) ?? (isSuccess(status) ? "rpc" : "http");
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** Whether the same request may soon succeed on the same endpoint. */
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

/** It costs the node a minute and leaves no time for another method. */
export function isPassingForScan(error: RpcError): boolean {
  const { kind, code } = error;
  if (kind === "timeout" || kind === "body") return false;
  return isPassing(error) && !(kind === "http" && code !== null && GATEWAY_STATUSES.has(code));
}
