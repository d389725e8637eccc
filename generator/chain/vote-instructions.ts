import { createHash } from "node:crypto";
import { ByteReader, TransactionError } from "./byte-reader.ts";
import { decodePublicKey, encodePublicKey, PUBLIC_KEY_BYTES } from "./public-key.ts";

export interface VoteInstruction {
  voteAccount: string;
  /**
   * Where the withdraw authority is expected, or the base key
   * of a seed-derived one. null: not needed or not there.
   */
  authority: { key: string; account: number } | null;
  /** Only the base key at that place can sign. */
  isFromSeed: boolean;
  change: VoteAccountChange;
}

/** Basis points, 0 to 10,000. */
export type VoteAccountChange =
  | { of: "inflationCommission" | "blockRevenueCommission"; basisPoints: number }
  | { of: "inflationCollector" | "blockRevenueCollector" | "withdrawAuthority"; to: string }
  /** Of everything, it closes the account. */
  | { of: "withdrawal"; lamports: bigint }
  /** The account was empty: its identity signs. */
  | { of: "initialized"; withdrawAuthority: string; basisPoints: number };

/** undefined: an unknown key from a look-up table. */
type Accounts = readonly (string | undefined)[];

// A u32 before the fields.
const INITIALIZE_ACCOUNT = 0;
const AUTHORIZE = 1;
const WITHDRAW = 3;
const UPDATE_COMMISSION = 5;
const AUTHORIZE_CHECKED = 7;
const AUTHORIZE_WITH_SEED = 10;
const AUTHORIZE_CHECKED_WITH_SEED = 11;
const INITIALIZE_ACCOUNT_V2 = 16;
const UPDATE_COMMISSION_COLLECTOR = 17;
const UPDATE_COMMISSION_BPS = 18;

/** The runtime does not require the authority at its usual place. */
const ACCOUNTS_MIN = new Map([
  [INITIALIZE_ACCOUNT, 3],
  [AUTHORIZE, 2],
  [WITHDRAW, 2],
  [UPDATE_COMMISSION, 1],
  [AUTHORIZE_CHECKED, 4],
  [AUTHORIZE_WITH_SEED, 3],
  [AUTHORIZE_CHECKED_WITH_SEED, 4],
  [INITIALIZE_ACCOUNT_V2, 4],
  [UPDATE_COMMISSION_COLLECTOR, 3],
  [UPDATE_COMMISSION_BPS, 1],
]);

const AUTHORITY_PLACES = new Map([
  [AUTHORIZE, 2],
  [WITHDRAW, 2],
  [UPDATE_COMMISSION, 1],
  [AUTHORIZE_CHECKED, 2],
  [UPDATE_COMMISSION_COLLECTOR, 2],
  [UPDATE_COMMISSION_BPS, 1],
]);
/** Place of a seed-derived address's base key. */
const BASE_PLACE = 2;

/** Authorize also sets voters: 0. */
const WITHDRAWER = 1;

const INFLATION_REWARDS = 0;
const BLOCK_REVENUE = 1;

/** The runtime stores more but pays this at most. */
const BASIS_POINTS_MAX = 10_000;
const BASIS_POINTS_OF_PERCENT = 100;
const SEED_BYTES_MAX = 32;
const BLS_KEY_BYTES = 48;
const BLS_PROOF_BYTES = 96;

/**
 * The runtime allows extra bytes (`limited_deserialize`): refusing them would hide a change.
 * @returns null: another instruction, cut data, or too few accounts
 */
export function readVoteInstruction(data: Uint8Array, accounts: Accounts): VoteInstruction | null {
  try {
    return readFields(new ByteReader(data), accounts);
  } catch (error) {
    if (error instanceof TransactionError) return null;
    throw error;
  }
}

function readFields(reader: ByteReader, accounts: Accounts): VoteInstruction | null {
  const [voteAccount] = accounts;
  const tag = reader.u32("the tag");
  if (voteAccount === undefined || accounts.length < (ACCOUNTS_MIN.get(tag) ?? Infinity))
    return null;
  if (tag === AUTHORIZE_WITH_SEED || tag === AUTHORIZE_CHECKED_WITH_SEED)
    return readWithSeed(reader, tag, accounts);
  const change = readChange(reader, tag, accounts);
  return (
    change && {
      voteAccount,
      authority: authorityAt(accounts, AUTHORITY_PLACES.get(tag)),
      isFromSeed: false,
      change,
    }
  );
}

function readChange(reader: ByteReader, tag: number, accounts: Accounts): VoteAccountChange | null {
  switch (tag) {
    case INITIALIZE_ACCOUNT:
      return readInitialized(reader);
    case INITIALIZE_ACCOUNT_V2:
      return readInitializedV2(reader);
    case UPDATE_COMMISSION:
      return { of: "inflationCommission", basisPoints: fromPercent(reader.u8("a percent")) };
    case UPDATE_COMMISSION_BPS:
      return readRate(reader);
    case UPDATE_COMMISSION_COLLECTOR:
      return readCollector(reader, accounts[1]);
    case WITHDRAW:
      return { of: "withdrawal", lamports: reader.u64("lamports") };
    case AUTHORIZE:
      return toAuthority(readKey(reader), readWhom(reader));
    case AUTHORIZE_CHECKED:
      return toAuthority(accounts[3], readWhom(reader));
    default:
      return null;
  }
}

function readInitialized(reader: ByteReader): VoteAccountChange {
  reader.take(2 * PUBLIC_KEY_BYTES, "the identity and the voter");
  return {
    of: "initialized",
    withdrawAuthority: readKey(reader),
    basisPoints: fromPercent(reader.u8("a percent")),
  };
}

function readInitializedV2(reader: ByteReader): VoteAccountChange {
  reader.take(2 * PUBLIC_KEY_BYTES + BLS_KEY_BYTES + BLS_PROOF_BYTES, "the identity and the voter");
  const withdrawAuthority = readKey(reader);
  const basisPoints = cap(reader.u16("the inflation commission"));
  reader.u16("the block revenue commission");
  return { of: "initialized", withdrawAuthority, basisPoints };
}

function readRate(reader: ByteReader): VoteAccountChange | null {
  const basisPoints = cap(reader.u16("basis points"));
  // Some interface descriptions make the kind a one-byte enum at the end.
  const kind = reader.left === 1 ? reader.u8("the kind") : reader.u32("the kind");
  if (kind === INFLATION_REWARDS) return { of: "inflationCommission", basisPoints };
  return kind === BLOCK_REVENUE ? { of: "blockRevenueCommission", basisPoints } : null;
}

function readCollector(reader: ByteReader, to: string | undefined): VoteAccountChange | null {
  const kind = reader.u32("the kind");
  if (to === undefined) return null;
  if (kind === INFLATION_REWARDS) return { of: "inflationCollector", to };
  return kind === BLOCK_REVENUE ? { of: "blockRevenueCollector", to } : null;
}

function readWithSeed(reader: ByteReader, tag: number, accounts: Accounts): VoteInstruction | null {
  const whom = readWhom(reader);
  const owner = reader.take(PUBLIC_KEY_BYTES, "the owner of an address");
  const seed = readSeed(reader);
  const change = toAuthority(tag === AUTHORIZE_WITH_SEED ? readKey(reader) : accounts[3], whom);
  const [voteAccount, , base] = accounts;
  if (change === null || voteAccount === undefined || base === undefined || seed === null)
    return null;
  const authority = { key: addressWithSeed(base, seed, owner), account: BASE_PLACE };
  return { voteAccount, authority, isFromSeed: true, change };
}

function readSeed(reader: ByteReader): Uint8Array | null {
  const length = reader.u64("the length of a seed");
  return length > SEED_BYTES_MAX ? null : reader.take(Number(length), "a seed");
}

function addressWithSeed(base: string, seed: Uint8Array, owner: Uint8Array): string {
  return encodePublicKey(
    createHash("sha256").update(decodePublicKey(base)).update(seed).update(owner).digest(),
  );
}

function readWhom(reader: ByteReader): number {
  return reader.u32("whom it names");
}

function readKey(reader: ByteReader): string {
  return encodePublicKey(reader.take(PUBLIC_KEY_BYTES, "a key"));
}

function toAuthority(to: string | undefined, whom: number): VoteAccountChange | null {
  return whom === WITHDRAWER && to !== undefined ? { of: "withdrawAuthority", to } : null;
}

function authorityAt(accounts: Accounts, place: number | undefined): VoteInstruction["authority"] {
  const key = place === undefined ? undefined : accounts[place];
  return key === undefined || place === undefined ? null : { key, account: place };
}

function fromPercent(percent: number): number {
  return cap(percent * BASIS_POINTS_OF_PERCENT);
}

function cap(basisPoints: number): number {
  return Math.min(basisPoints, BASIS_POINTS_MAX);
}
