/** Bytes that are no transaction as the runtime reads it. The message names what is wrong, and at which byte. */
export class TransactionError extends Error {
  override readonly name = "TransactionError";
}
