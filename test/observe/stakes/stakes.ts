import { U64_MAX } from "../../../generator/rpc/answer.ts";
import { decodePublicKey, encodePublicKey } from "../../../generator/chain/public-key.ts";
import type { StakeRow } from "../../../generator/observe/stakes/stake-tally.ts";
import { key } from "../fixtures.ts";
import { encodeStakeAccount, USUAL_SLICE } from "../../cluster/chain/stake-program.ts";
import { inContext, toAccount } from "../../cluster/rpc/accounts.ts";
import { toReply } from "../../cluster/rpc/json.ts";
import { STAKE_PROGRAM } from "../../cluster/transactions/programs.ts";

export const EPOCH = 1053;
export const NOW = BigInt(EPOCH);
export const VOTES = [key(1), key(2)];

export interface Delegation {
  vote: string;
  stake: bigint;
  activation: bigint;
  deactivation: bigint;
}

/** To the first vote account, long active, 5 lamports. */
export const delegation = (fields: Partial<Delegation> = {}): Delegation => ({
  vote: key(1),
  stake: 5n,
  activation: 900n,
  deactivation: U64_MAX,
  ...fields,
});

export const toSlice = (one: Delegation): string => toRow(one).account.data[0];

export const toRow = ({ vote, stake, activation, deactivation }: Delegation, index = 0) => {
  const data = encodeStakeAccount(decodePublicKey(vote), {
    stake,
    activationEpoch: activation,
    deactivationEpoch: deactivation,
  });
  const account = toAccount({ owner: STAKE_PROGRAM, lamports: stake, data }, USUAL_SLICE);
  return { account, pubkey: key(index % 256) };
};

export type Params = [string, { filters: { memcmp?: { offset: number; bytes: string } }[] }];

/** The first byte of the voters asked about; null: all of them. */
export function byteAsked([, { filters }]: Params): number | null {
  const voter = filters.find(({ memcmp }) => memcmp?.offset === 124)?.memcmp;
  return voter === undefined ? null : Buffer.from(voter.bytes, "base64")[0]!;
}

export function toProgram(delegations: Delegation[], byte: number | null) {
  const isAsked = ({ vote }: Delegation) => byte === null || decodePublicKey(vote)[0] === byte;
  return inContext(1, delegations.filter(isAsked).map(toRow));
}

const SLOT = 455_000_123;

export function toAnswer(delegations: Delegation[]): string {
  return toReply(1, inContext(SLOT, delegations.map(toRow)));
}

export function toPage(delegations: Delegation[], paginationKey?: string | null) {
  return inContext(SLOT, {
    accounts: delegations.map(toRow),
    ...(paginationKey !== undefined && { paginationKey }),
  });
}

/** The plain way: the whole answer as objects. */
export function tallyPlainly(text: string, votes = VOTES): StakeRow[] {
  const answer = JSON.parse(text) as {
    result: { value: { account: { data: [string, string] } }[] };
  };
  return votes.map((vote) => {
    const row: StakeRow = [vote, 0n, 0n, 0];
    for (const { account } of answer.result.value) {
      const data = Buffer.from(account.data[0], "base64");
      if (encodePublicKey(data.subarray(0, 32)) !== vote) continue;
      const [stake, activation, deactivation] = [
        data.readBigUInt64LE(32),
        data.readBigUInt64LE(40),
        data.readBigUInt64LE(48),
      ];
      const isGenesis = activation === U64_MAX;
      if (activation === NOW && deactivation > NOW) row[1] += stake;
      if (deactivation === NOW && (activation < NOW || isGenesis)) row[2] += stake;
      if ((activation !== deactivation || isGenesis) && deactivation >= NOW) row[3] += 1;
    }
    return row;
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is asynchronous, its parts are here already
export async function* toBody(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

export function toChunks(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}
