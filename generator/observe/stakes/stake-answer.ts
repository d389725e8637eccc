import { z } from "zod";
import { createAccountScanner } from "./account-scanner.ts";
import { parseAnswer } from "../../rpc/answer.ts";
import { RpcError } from "../../rpc/error.ts";
import type { StakeSums } from "./stake-sums.ts";
import type { StakeTally } from "./stake-tally.ts";

/** What one answer with stake accounts came to. */
export interface StakeAnswer {
  sums: StakeSums;
  /** Number of accounts in it, of whatever voter. */
  accounts: number;
  /** Where the next page begins; null: there is none. */
  paginationKey: string | null;
}

/** An answer without one account is an error, nonsense or empty, and short: so much of it is kept to say which. */
const HEAD_BYTES_MAX = 64 * 1024;

/** An answer that honestly has no account: of either method, with or without its context. */
const nothing = z.array(z.unknown()).max(0);
const nothingPaged = z.object({ accounts: nothing });
const nothingSchema = z.union([nothing, nothingPaged, z.object({ value: z.union([nothing, nothingPaged]) })]);

/**
 * Adds up an answer's bytes as they come. The answer is never held: neither as text nor as objects.
 * @param tally a fresh one: what it holds is of this answer alone
 * @throws {RpcError} `body` when the answer is cut or no JSON, `shape` when an account is not the slice asked for, else
 * what the answer's error says
 */
export async function tallyAnswer(body: AsyncIterable<Uint8Array>, tally: StakeTally): Promise<StakeAnswer> {
  let accounts = 0;
  const scanner = createAccountScanner((bytes, start, end) => {
    accounts++;
    if (!tally.add(bytes, start, end)) {
      throw new RpcError({ kind: "shape", message: `account ${accounts} of the answer is not the slice asked for` });
    }
  });
  const head: Uint8Array[] = [];
  let headBytes = 0;
  for await (const chunk of body) {
    scanner.push(chunk);
    if (accounts > 0 || headBytes > HEAD_BYTES_MAX) continue;
    head.push(chunk.slice(0, HEAD_BYTES_MAX));
    headBytes += chunk.length;
  }
  if (accounts === 0) parseAnswer(Buffer.concat(head).toString("utf8"), nothingSchema);
  if (!scanner.isComplete()) {
    throw new RpcError({ kind: "body", message: `the answer does not end as it should after ${accounts} accounts` });
  }
  return { sums: tally.sums, accounts, paginationKey: scanner.paginationKey() };
}
