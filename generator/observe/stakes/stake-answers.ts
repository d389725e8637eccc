import pLimit from "p-limit";
import { z } from "zod";
import type { RpcReader } from "../../rpc/reader.ts";
import { RpcError } from "../../rpc/error.ts";
import {
  type StakeQuestion,
  type StakeSums,
  createStakeTally,
  addSums,
  createStakeSums,
  DELEGATION_OFFSET,
  toSlice,
  type Voters,
  type StakeTally,
} from "./stake-tally.ts";
import { COMMITMENT } from "../../rpc/epoch.ts";
import { createAccountScanner } from "./account-scanner.ts";
import { parseAnswer } from "../../rpc/answer.ts";

/** 370 MB on mainnet. */
export async function readStakesWhole(
  reader: RpcReader,
  question: StakeQuestion,
): Promise<StakeSums> {
  // Spares the node sorting a million rows.
  const params = toStakeParams(question, { sortResults: false });
  return reader.stream({
    method: "getProgramAccounts",
    params,
    consume: (body) => tallyWhole(body, question),
  });
}

/** @throws {RpcError} `body` also for no account at all: every cluster has some */
export async function tallyWhole(
  body: AsyncIterable<Uint8Array>,
  question: StakeQuestion,
): Promise<StakeSums> {
  const { sums, accounts } = await tallyAnswer(body, createStakeTally(question));
  if (accounts === 0)
    throw new RpcError({ kind: "body", message: "the answer has no stake account" });
  return sums;
}

const METHOD = "getProgramAccountsV2";
/** The providers' maximum. A page may have fewer: filters apply after the count. */
const LIMIT = 10_000;
/** Mainnet needs 120 full pages. */
const PAGES_MAX = 1_000;

/**
 * Only a page without a next key is the last, however short it is. If a faulty node repeats
 * accounts, the sum shows it.
 * @throws {RpcError} also `body` when the pages repeat or do not end
 */
export async function readStakesByPage(
  reader: RpcReader,
  question: StakeQuestion,
): Promise<StakeSums> {
  const total = createStakeSums(question);
  const keys = new Set<string>();
  for (let key: string | null = null; keys.size < PAGES_MAX; keys.add(key)) {
    const { sums, paginationKey } = await readPage(reader, question, key);
    addSums(total, sums);
    if (paginationKey === null) return total;
    if (keys.has(paginationKey))
      throw toEndlessError(reader, `page ${keys.size + 1} leads back to an earlier one`);
    key = paginationKey;
  }
  throw toEndlessError(reader, `no end after ${PAGES_MAX} pages`);
}

function readPage(
  reader: RpcReader,
  question: StakeQuestion,
  paginationKey: string | null,
): Promise<StakeAnswer> {
  const params = toStakeParams(question, {
    limit: LIMIT,
    ...(paginationKey !== null && { paginationKey }),
  });
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

const CIRCUIT = "getProgramAccounts of the Stake program by voter";

const CONCURRENCY = 4;

/** The first goes alone, so that a node that refuses is asked once. */
export async function readStakesByVoter(
  reader: RpcReader,
  question: StakeQuestion,
): Promise<StakeSums> {
  const total = createStakeSums(question);
  const readOne = async (voterByte: number) =>
    addSums(total, await readPart(reader, question, voterByte));
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

async function readPart(
  reader: RpcReader,
  question: StakeQuestion,
  voterByte: number,
): Promise<StakeSums> {
  const { sums } = await reader.stream({
    method: "getProgramAccounts",
    params: toStakeParams(question, { sortResults: false }, voterByte),
    circuit: CIRCUIT,
    isPart: true,
    consume: (body) => tallyAnswer(body, createStakeTally(question, voterByte)),
  });
  return sums;
}

function firstBytesOf(voters: Voters): number[] {
  return [...new Set([...voters.keys()].map((key) => key.charCodeAt(0)))].sort((a, b) => a - b);
}

/** Program that owns the stake accounts. */
export const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";

/** Size of every stake account, by which requests filter. */
export const STAKE_ACCOUNT_BYTES = 200;
/** The first four bytes of «delegated». */
const DELEGATED = "AgAAAA==";

/** @param voterByte only voters whose key begins with this byte */
function toStakeParams(
  question: StakeQuestion,
  options: Record<string, unknown>,
  voterByte?: number,
): unknown[] {
  const filters: unknown[] = [
    { dataSize: STAKE_ACCOUNT_BYTES },
    { memcmp: { offset: 0, bytes: DELEGATED, encoding: "base64" } },
  ];
  if (voterByte !== undefined) {
    const bytes = Buffer.of(voterByte).toString("base64");
    filters.push({ memcmp: { offset: DELEGATION_OFFSET, bytes, encoding: "base64" } });
  }
  const dataSlice = toSlice(question);
  return [
    STAKE_PROGRAM,
    {
      commitment: COMMITMENT,
      encoding: "base64",
      dataSlice,
      filters,
      withContext: true,
      ...options,
    },
  ];
}

interface StakeAnswer {
  sums: StakeSums;
  accounts: number;
  paginationKey: string | null;
}

/** Kept to explain an answer that is no list. */
const HEAD_BYTES_MAX = 64 * 1024;

const nothing = z.array(z.unknown()).max(0);
const nothingPaged = z.object({ accounts: nothing });
const nothingSchema = z.union([
  nothing,
  nothingPaged,
  z.object({ value: z.union([nothing, nothingPaged]) }),
]);

/**
 * @throws {RpcError} `body` when cut or no JSON, `shape` when an
 * account is not the slice asked for, else the answer's own error
 */
async function tallyAnswer(
  body: AsyncIterable<Uint8Array>,
  tally: StakeTally,
): Promise<StakeAnswer> {
  let accounts = 0;
  const { records, largest } = tally.sums;
  const keyed = [records, largest].filter((one) => one !== null);
  const assertPaired = (isPaired: boolean) => {
    if (!isPaired)
      throw new RpcError({
        kind: "shape",
        message: `account ${accounts} of the answer has no key, or more than one`,
      });
  };
  const scanner = createAccountScanner(
    (bytes, start, end) => {
      accounts++;
      if (!tally.add(bytes, start, end)) {
        throw new RpcError({
          kind: "shape",
          message: `account ${accounts} of the answer is not the slice asked for`,
        });
      }
    },
    (bytes, start, end) => assertPaired(keyed.every((one) => one.addKey(bytes, start, end))),
  );
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
    throw new RpcError({
      kind: "body",
      message: `the answer is cut or malformed after ${accounts} accounts`,
    });
  }
  assertPaired(keyed.every((one) => one.isPaired()));
  return { sums: tally.sums, accounts, paginationKey: scanner.paginationKey() };
}
