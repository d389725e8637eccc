import { toJson } from "./json.ts";

/** JSON-RPC's codes, and the nodes' own. */
const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  disabled: 410,
  excludedFromIndex: -32010,
  invalidParams: -32602,
  blockNotAvailable: -32004,
  nodeUnhealthy: -32005,
  noTransactionHistory: -32011,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
  rewardsPeriodActive: -32017,
} as const;

/** Answered as a JSON-RPC error. */
export class RpcFailure extends Error {
  override readonly name = "RpcFailure";
  readonly code: number;
  readonly data: unknown;

  constructor(code: keyof typeof CODES | number, message: string, data?: unknown) {
    super(message);
    this.code = typeof code === "number" ? code : CODES[code];
    this.data = data;
  }
}

/** A JSON-RPC answer that says why there is no result. */
export function toFailureReply(
  id: string | number | null,
  { code, message, data }: Pick<RpcFailure, "code" | "message"> & { data?: unknown },
): string {
  return toJson({ jsonrpc: "2.0", error: { code, message, data }, id });
}
