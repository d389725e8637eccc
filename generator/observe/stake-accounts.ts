import { z } from "zod";
import { createAccountScanner } from "./account-scanner.ts";
import { COMMITMENT } from "./epoch.ts";
import { parseAnswer } from "./rpc-answer.ts";
import { RpcError } from "./rpc-error.ts";
import type { RpcReader } from "./rpc.ts";
import { createStakeTally, DELEGATION_BYTES, DELEGATION_OFFSET, type StakeRow } from "./stake-tally.ts";

const STAKE_PROGRAM = "Stake11111111111111111111111111111111111111";
const STAKE_ACCOUNT_BYTES = 200;
/** The state «delegated», as the first four bytes of an account, in base64. */
const DELEGATED = "AgAAAA==";

/** An answer without one account is an error or nonsense, and short: so much of it is kept to say which. */
const HEAD_BYTES_MAX = 64 * 1024;

/**
 * What is being delegated to and taken from each vote account in an epoch, summed over every stake account of the cluster
 * (370 MB of answer on mainnet). The answer is never held: neither as text nor as objects.
 * @throws {RpcError} `body` when the answer is cut or empty, `shape` when an account is not the slice asked for
 */
export function readStakeAccounts(reader: RpcReader, wanted: { votes: string[]; epoch: number }): Promise<StakeRow[]> {
  const params = [
    STAKE_PROGRAM,
    {
      commitment: COMMITMENT,
      encoding: "base64",
      dataSlice: { offset: DELEGATION_OFFSET, length: DELEGATION_BYTES },
      filters: [{ dataSize: STAKE_ACCOUNT_BYTES }, { memcmp: { offset: 0, bytes: DELEGATED, encoding: "base64" } }],
      withContext: true,
      // Spares the node the sorting of a million rows.
      sortResults: false,
    },
  ];
  return reader.stream({ method: "getProgramAccounts", params, consume: (body) => tallyStakeAccounts(body, wanted) });
}

/** {@link readStakeAccounts} of an answer's bytes. */
export async function tallyStakeAccounts(
  body: AsyncIterable<Uint8Array>,
  wanted: { votes: string[]; epoch: number },
): Promise<StakeRow[]> {
  const tally = createStakeTally(wanted);
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
  if (accounts === 0) refuseEmpty(Buffer.concat(head).toString("utf8"));
  if (!scanner.isComplete())
    throw new RpcError({ kind: "body", message: `the answer ends after ${accounts} accounts, unclosed` });
  return tally.rows();
}

/** Says why an answer has no account: an error of the node, no JSON, or really none, which no cluster has. */
function refuseEmpty(head: string): never {
  parseAnswer(head, z.unknown());
  throw new RpcError({ kind: "body", message: "the answer has no stake account" });
}
