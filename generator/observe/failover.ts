import { RpcError, toReworded } from "./rpc-error.ts";

/**
 * Gives the task one candidate after the other, preferred first, until one does it.
 * @throws {RpcError} of the last candidate's kind, with what each of them said; anything else at once, for it is a bug
 */
export async function withFailover<C, T>(candidates: C[], task: (candidate: C) => Promise<T>): Promise<T> {
  const failures: RpcError[] = [];
  for (const candidate of candidates) {
    try {
      return await task(candidate);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      failures.push(error);
    }
  }
  const last = failures.at(-1) ?? new RpcError({ kind: "network", message: "no endpoint to ask" });
  throw toReworded(last, failures.map(({ message }) => message).join("; ") || last.message);
}
