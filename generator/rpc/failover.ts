import type { RpcReader } from "./rpc.ts";
import { RpcError, toReworded } from "./error.ts";

/**
 * Gives the task one candidate after the other, preferred first, until one does it.
 * @param task is also told how many candidates are left, this one included
 * @throws {RpcError} of the last candidate's kind, with what each of them said; anything else at once: it is a bug
 */
export async function withFailover<C, T>(
  candidates: C[],
  task: (candidate: C, left: number) => Promise<T>,
): Promise<T> {
  const failures: RpcError[] = [];
  for (const [position, candidate] of candidates.entries()) {
    try {
      return await task(candidate, candidates.length - position);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      failures.push(error);
    }
  }
  const last = failures.at(-1) ?? new RpcError({ kind: "network", message: "no endpoint to ask" });
  throw toReworded(last, failures.map(({ message }) => message).join("; ") || last.message);
}

/**
 * {@link withFailover} over endpoints, each with its share of the time left: one that takes a request and never answers
 * would use up the time of all.
 */
export function withReaders<T>(readers: RpcReader[], task: (reader: RpcReader) => Promise<T>): Promise<T> {
  return withFailover(readers, (reader, left) => task(reader.within(1 / left)));
}
