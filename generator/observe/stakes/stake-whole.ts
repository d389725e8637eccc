import type { RpcReader } from "../../rpc/rpc.ts";
import { RpcError } from "../../rpc/error.ts";
import { tallyAnswer } from "./stake-answer.ts";
import { toStakeParams } from "./stake-query.ts";
import type { StakeQuestion, StakeSums } from "./stake-sums.ts";
import { createStakeTally } from "./stake-tally.ts";

/**
 * Every stake account in one answer, of one slot: 370 MB on mainnet.
 * @throws {RpcError}
 */
export async function readStakesWhole(reader: RpcReader, question: StakeQuestion): Promise<StakeSums> {
  // Spares the node the sorting of a million rows.
  const params = toStakeParams({ sortResults: false });
  return reader.stream({ method: "getProgramAccounts", params, consume: (body) => tallyWhole(body, question) });
}

/** {@link readStakesWhole} of an answer's bytes. @throws {RpcError} `body` also for no account at all: no cluster has none */
export async function tallyWhole(body: AsyncIterable<Uint8Array>, question: StakeQuestion): Promise<StakeSums> {
  const { sums, accounts } = await tallyAnswer(body, createStakeTally(question));
  if (accounts === 0) throw new RpcError({ kind: "body", message: "the answer has no stake account" });
  return sums;
}
