import pLimit from "p-limit";
import type { RpcReader } from "../../rpc/rpc.ts";
import { tallyAnswer } from "./stake-answer.ts";
import { toStakeParams } from "./stake-query.ts";
import { addSums, createStakeSums, type StakeQuestion, type StakeSums, type Voters } from "./stake-sums.ts";
import { createStakeTally } from "./stake-tally.ts";

/** Refused or offered apart from the one large answer, though method and program are the same. */
const WAY = "getProgramAccounts of the Stake program by voter";

/** Calls under way at once. How many may be begun in a while is the endpoint's call budget. */
const CONCURRENCY = 4;

/**
 * Every stake account in up to 256 answers of a 256th of them each: those whose voter's key begins with a byte. The bytes
 * that no vote account asked about begins with are left out: delegations to any other count for nobody. The answers are
 * of different slots.
 *
 * The first is asked alone, so that a node that refuses is asked once, and any failure ends it all: a part is no answer.
 * @throws {RpcError}
 */
export async function readStakesByVoter(reader: RpcReader, question: StakeQuestion): Promise<StakeSums> {
  const total = createStakeSums(question.voters);
  const readOne = async (voterByte: number) => addSums(total, await readPart(reader, question, voterByte));
  const limit = pLimit(CONCURRENCY);
  const [first, ...others] = firstBytesOf(question.voters);
  if (first !== undefined) await readOne(first);
  try {
    await Promise.all(others.map((voterByte) => limit(readOne, voterByte)));
  } finally {
    limit.clearQueue();
  }
  return total;
}

async function readPart(reader: RpcReader, question: StakeQuestion, voterByte: number): Promise<StakeSums> {
  const { sums } = await reader.stream({
    method: "getProgramAccounts",
    params: toStakeParams({ sortResults: false }, voterByte),
    way: WAY,
    isPart: true,
    consume: (body) => tallyAnswer(body, createStakeTally(question, voterByte)),
  });
  return sums;
}

function firstBytesOf(voters: Voters): number[] {
  return [...new Set([...voters.keys()].map((key) => key.charCodeAt(0)))].sort((a, b) => a - b);
}
