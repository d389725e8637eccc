import { VOTE_PROGRAM } from "../chain/program-address.ts";
import { encodePublicKey, PUBLIC_KEY_BYTES } from "../chain/public-key.ts";
import type { Account } from "./accounts.ts";

/** Bytes from the start of a vote account that hold all that is read here, in every layout. */
export const VOTE_ACCOUNT_SLICE_BYTES = 193;

/** What a vote account itself says of its commission. */
export interface VoteAccount {
  /** false: no such account, or not the vote program's. */
  exists: boolean;
  /** Only layout v4 stores basis points; may exceed 10000. */
  basisPoints: number | null;
  /** Only the layouts before v4 store a percent; may exceed 100. */
  percent: number | null;
  identity: string | null;
  /** Who may change the commission; null: not readable. */
  withdrawAuthority: string | null;
}

/** Layout versions in the first four bytes; the lower ones hold no commission in a known place (SIMD-0185). */
const VERSION_1_14_11 = 1;
const VERSION_3 = 2;
const VERSION_4 = 3;

const IDENTITY_OFFSET = 4;
const WITHDRAW_AUTHORITY_OFFSET = 36;
const PERCENT_OFFSET = 68;
const BASIS_POINTS_OFFSET = 132;

const GONE: VoteAccount = { exists: false, basisPoints: null, percent: null, identity: null, withdrawAuthority: null };

/** Decodes the start of a vote account. An unknown layout, or too few bytes, exists without saying anything. */
export function decodeVoteAccount(account: Account | null): VoteAccount {
  if (account?.owner !== VOTE_PROGRAM) return GONE;
  const { data } = account;
  const unreadable: VoteAccount = { ...GONE, exists: true };
  if (data.length < BASIS_POINTS_OFFSET + 2) return unreadable;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const keyAt = (offset: number) => encodePublicKey(data.subarray(offset, offset + PUBLIC_KEY_BYTES));
  const said = { exists: true, identity: keyAt(IDENTITY_OFFSET), withdrawAuthority: keyAt(WITHDRAW_AUTHORITY_OFFSET) };
  switch (view.getUint32(0, true)) {
    case VERSION_1_14_11:
    case VERSION_3:
      return { ...said, basisPoints: null, percent: view.getUint8(PERCENT_OFFSET) };
    case VERSION_4:
      return { ...said, basisPoints: view.getUint16(BASIS_POINTS_OFFSET, true), percent: null };
    default:
      return unreadable;
  }
}
