import { toPlainLine } from "../contract/strangers-text.ts";

/**
 * Why a source could not be read; {@link toErrorKind} decides.
 * - `network`: no connection, or it broke before an answer
 * - `timeout`: no answer in time, or no time left to ask
 * - `http`: another status than 2xx
 * - `body`: an answer that is cut short or no JSON
 * - `oversized`: an answer that is longer than expected
 * - `shape`: JSON of another shape
 * - `behind`: a node behind the cluster, or slots and epochs that contradict each other
 * - `clock`: this machine's clock and the endpoint's disagree
 * - `limited`: too many requests; the node itself is well
 * - `forbidden`: the endpoint does not admit this address or key
 * - `refused`: the endpoint does not offer this; do not ask again
 * - `resting`: not asked, because the endpoint wants a pause or the budget is spent
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
 * A source could not be read. The message is one plain line without terminal sequences, because
 * logs, terminals and the status show it. Whoever makes it keeps secrets out.
 */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly kind: RpcErrorKind;
  /** HTTP status or JSON-RPC code; null: neither. */
  readonly code: number | null;
  /** The pause that the source asked for (Retry-After); null: none. */
  readonly retryAfterMilliseconds: number | null;

  constructor({ kind, message, code = null, retryAfterMilliseconds = null }: RpcErrorOptions) {
    // Not cut here: a cut before redaction could leave a part of a secret.
    super(toPlainLine(message, Infinity));
    this.kind = kind;
    this.code = code;
    this.retryAfterMilliseconds = retryAfterMilliseconds;
  }
}

/**
 * Removes the endpoint's label, with which messages of the client begin, for readers who see it
 * already.
 */
export function withoutLabel(message: string, label: string): string {
  return message.startsWith(label) ? message.slice(label.length).replace(/^:? /, "") : message;
}

/** Returns the same failure with another message. */
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
  // Asking again soon would keep the address blocked.
  [401, "forbidden"],
  [402, "forbidden"],
  [403, "forbidden"],
  // Some gateways answer so to a disabled method or a scan that is too large.
  [410, "refused"],
  [413, "refused"],
  [429, "limited"],
  [501, "refused"],
]);

/**
 * Codes of JSON-RPC errors. Gateways also write HTTP statuses there, in an answer of status 200.
 */
const CODES = new Map<number, RpcErrorKind>([
  ...STATUSES,
  // Agave: the node is behind, or has not reached the slot.
  [-32_005, "behind"],
  [-32_016, "behind"],
  // Agave: no account index, no history of transactions, no such method.
  [-32_010, "refused"],
  [-32_011, "refused"],
  [-32_601, "refused"],
  // The request is wrong, so repeating it does not help.
  [-32_700, "rpc"],
  [-32_600, "rpc"],
  [-32_602, "rpc"],
]);

/**
 * Messages that decide before codes, because providers use codes that mean something else on a node
 * (-32005, -32007).
 */
const MESSAGES: readonly (readonly [RegExp, RpcErrorKind])[] = [
  [/too many requests|rate limit|request limit/i, "limited"],
  // Both mean that only the paged method works, whatever the filter.
  [/request deprioritized|too many accounts requested/i, "refused"],
];

const PASSING_STATUSES = new Set([408, 425]);
/** Time-outs of a gateway before the node. */
const GATEWAY_STATUSES = new Set([502, 504, 524]);
const INTERNAL_ERROR = -32_603;

/**
 * Decides the kind of a failure. Status 429 always decides; otherwise the message decides first,
 * then the code, then the status.
 */
export function toErrorKind({ status, code, message = "" }: Complaint): RpcErrorKind {
  if (status === 429) return "limited";
  const byMessage = MESSAGES.find(([pattern]) => pattern.test(message))?.[1];
  const byCode = code === undefined ? undefined : CODES.get(code);
  return byMessage ?? byCode ?? STATUSES.get(status) ?? (isSuccess(status) ? "rpc" : "http");
}

/** Whether a status is 2xx. */
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

/**
 * Whether a scan may be repeated. A scan costs the node a minute, so after a time-out or a cut
 * answer no time would be left for the paged method.
 */
export function isPassingForScan(error: RpcError): boolean {
  const { kind, code } = error;
  if (kind === "timeout" || kind === "body") return false;
  return isPassing(error) && !(kind === "http" && code !== null && GATEWAY_STATUSES.has(code));
}
