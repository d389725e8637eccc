/** Codes of JSON-RPC and of the nodes' own errors, as far as the simulator answers them. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  disabled: 410,
  excludedFromIndex: -32010,
  invalidParams: -32602,
  nodeUnhealthy: -32005,
  noTransactionHistory: -32011,
  unsupportedTransactionVersion: -32015,
  minContextSlotNotReached: -32016,
} as const;

/** An error that is answered in the JSON-RPC envelope. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;

  constructor(code: keyof typeof RPC_CODES, message: string, data?: unknown) {
    super(message);
    this.code = RPC_CODES[code];
    this.data = data;
  }
}
