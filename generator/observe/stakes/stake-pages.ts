import type { RpcReader } from "../../rpc/rpc.ts";
import { RpcError } from "../../rpc/error.ts";
import { tallyAnswer, type StakeAnswer } from "./stake-answer.ts";
import { toStakeParams } from "./stake-query.ts";
import { addSums, createStakeSums, type StakeQuestion, type StakeSums } from "./stake-sums.ts";
import { createStakeTally } from "./stake-tally.ts";

const METHOD = "getProgramAccountsV2";
/** Most accounts of a page, by the providers that offer the method; fewer may come, for filters act after the count. */
const LIMIT = 10_000;
/** Mainnet's accounts take 120 full pages. */
const PAGES_MAX = 1_000;

/**
 * Every stake account page by page, as providers offer it that refuse the one large answer. A page may be short or empty
 * and still not be the last: only one that names no next page is. The pages are of different slots. Their keys run along
 * the accounts' addresses, so no account comes twice; a set of a million addresses is not kept to see to that, because what
 * a faulty node repeats shows in the sum of the stake.
 * @throws {RpcError} also `body` when the pages go round in a circle, or do not end
 */
export async function readStakesByPage(reader: RpcReader, question: StakeQuestion): Promise<StakeSums> {
  const total = createStakeSums(question.voters);
  const keys = new Set<string>();
  for (let key: string | null = null; keys.size < PAGES_MAX; keys.add(key)) {
    const { sums, paginationKey } = await readPage(reader, question, key);
    addSums(total, sums);
    if (paginationKey === null) return total;
    if (keys.has(paginationKey)) throw toEndlessError(reader, `page ${keys.size + 1} leads back to an earlier one`);
    key = paginationKey;
  }
  throw toEndlessError(reader, `no end after ${PAGES_MAX} pages`);
}

function readPage(reader: RpcReader, question: StakeQuestion, paginationKey: string | null): Promise<StakeAnswer> {
  const params = toStakeParams({ limit: LIMIT, ...(paginationKey !== null && { paginationKey }) });
  return reader.stream({
    method: METHOD,
    params,
    isPart: true,
    consume: (body) => tallyAnswer(body, createStakeTally(question)),
  });
}

function toEndlessError({ label }: RpcReader, what: string): RpcError {
  return new RpcError({ kind: "body", message: `${label} ${METHOD}: ${what}` });
}
