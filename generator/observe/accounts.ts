import { z } from "zod";
import { countSchema } from "../contract/values.ts";
import { COMMITMENT } from "../rpc/epoch.ts";
import type { RpcReader } from "../rpc/reader.ts";
import { u64Schema } from "../rpc/answer.ts";
import { RpcError } from "../rpc/error.ts";
import { VOTE_PROGRAM } from "../chain/program-address.ts";
import { encodePublicKey, PUBLIC_KEY_BYTES } from "../chain/public-key.ts";

/** An account as a node answers it. `data` may be a slice of the account. */
export interface Account {
  owner: string;
  data: Uint8Array;
  /** Its balance; undefined: the node did not give it. */
  lamports?: bigint | undefined;
  /** Length of the whole account in bytes; undefined: the node did not give it. */
  space?: bigint | undefined;
}

/** `MAX_MULTIPLE_ACCOUNTS` of Agave. */
const KEYS_MAX = 100;

/** An account of `getMultipleAccounts` or `getProgramAccounts` with the encoding base64. */
export const accountSchema = z.object({
  owner: z.string(),
  data: z
    .tuple([z.base64(), z.literal("base64")])
    .transform(([text]) => new Uint8Array(Buffer.from(text, "base64"))),
  // Only amounts of tips need these: a node that gives them wrongly still gives the rest.
  lamports: u64Schema.optional().catch(undefined),
  space: u64Schema.optional().catch(undefined),
});

const answerSchema = z.object({
  context: z.object({ slot: countSchema }),
  // An error must not list every extra account.
  value: z.array(z.unknown()).max(KEYS_MAX).pipe(z.array(accountSchema.nullable())),
});

/** In the order of the keys; null: no such account. `slot` is the lowest of the answers. */
export async function readAccounts(
  reader: RpcReader,
  { keys, bytes }: { keys: string[]; bytes: number },
): Promise<{ accounts: (Account | null)[]; slot: number | null }> {
  const options = {
    commitment: COMMITMENT,
    encoding: "base64",
    dataSlice: { offset: 0, length: bytes },
  };
  const accounts: (Account | null)[] = [];
  let slot: number | null = null;
  for (let start = 0; start < keys.length; start += KEYS_MAX) {
    const asked = keys.slice(start, start + KEYS_MAX);
    const answer = await reader.call({
      method: "getMultipleAccounts",
      params: [asked, options],
      schema: answerSchema,
    });
    if (answer.value.length !== asked.length) {
      const message = `${reader.label} getMultipleAccounts: ${answer.value.length} accounts for ${asked.length} keys`;
      throw new RpcError({ kind: "shape", message });
    }
    accounts.push(...answer.value);
    slot = Math.min(slot ?? answer.context.slot, answer.context.slot);
  }
  return { accounts, slot };
}

/** Covers every field read, in all layouts. */
export const VOTE_ACCOUNT_SLICE_BYTES = 193;

interface VoteAccount {
  /** false: no such account, or another program's. */
  exists: boolean;
  /** Layout v4 only; may exceed 10000. */
  basisPoints: number | null;
  /** Earlier layouts only; may exceed 100. */
  percent: number | null;
  identity: string | null;
  withdrawAuthority: string | null;
  /** Commission on block revenue (SIMD-0123); layout v4 only; may exceed 10000. */
  blockRevenueBasisPoints: number | null;
}

/** Older layouts have no commission at a known offset (SIMD-0185). */
const VERSION_1_14_11 = 1;
const VERSION_3 = 2;
const VERSION_4 = 3;

const IDENTITY_OFFSET = 4;
const WITHDRAW_AUTHORITY_OFFSET = 36;
const PERCENT_OFFSET = 68;
const BASIS_POINTS_OFFSET = 132;
const BLOCK_REVENUE_OFFSET = 134;

const GONE: VoteAccount = {
  exists: false,
  basisPoints: null,
  percent: null,
  identity: null,
  withdrawAuthority: null,
  blockRevenueBasisPoints: null,
};

/** An unknown or truncated layout exists, with null fields. */
export function decodeVoteAccount(account: Account | null): VoteAccount {
  if (account?.owner !== VOTE_PROGRAM) return GONE;
  const { data } = account;
  const unreadable: VoteAccount = { ...GONE, exists: true };
  if (data.length < BLOCK_REVENUE_OFFSET + 2) return unreadable;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const keyAt = (offset: number) =>
    encodePublicKey(data.subarray(offset, offset + PUBLIC_KEY_BYTES));
  const known = {
    ...unreadable,
    identity: keyAt(IDENTITY_OFFSET),
    withdrawAuthority: keyAt(WITHDRAW_AUTHORITY_OFFSET),
  };
  switch (view.getUint32(0, true)) {
    case VERSION_1_14_11:
    case VERSION_3:
      return { ...known, percent: view.getUint8(PERCENT_OFFSET) };
    case VERSION_4:
      return {
        ...known,
        basisPoints: view.getUint16(BASIS_POINTS_OFFSET, true),
        blockRevenueBasisPoints: view.getUint16(BLOCK_REVENUE_OFFSET, true),
      };
    default:
      return unreadable;
  }
}
