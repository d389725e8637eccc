import { createHash } from "node:crypto";
import { ByteReader, TransactionError } from "./byte-reader.ts";
import { decodePublicKey, encodePublicKey, PUBLIC_KEY_BYTES } from "./public-key.ts";

/** An instruction of the vote program that changes an account, as its bytes say. */
export interface VoteInstruction {
  voteAccount: string;
  /**
   * The key expected to act as withdraw authority and its index among the accounts, or the address
   * derived from the base key at that index. null: no authority is needed, or it is missing.
   */
  authority: { key: string; account: number } | null;
  /**
   * Whether the authority is derived from a base key and a seed. Then only that base key can sign.
   */
  isFromSeed: boolean;
  change: VoteAccountChange;
}

/** What an instruction changes. Rates are in basis points, 0 to 10,000. */
export type VoteAccountChange =
  | { of: "inflationCommission" | "blockRevenueCommission"; basisPoints: number }
  | { of: "inflationCollector" | "blockRevenueCollector" | "withdrawAuthority"; to: string }
  /** A withdrawal of everything closes the account. */
  | { of: "withdrawal"; lamports: bigint }
  /** An empty account is set up. Its identity signs, no authority. */
  | { of: "initialized"; withdrawAuthority: string; basisPoints: number };

/** Keys of an instruction; undefined: a key from a look-up table that is not known. */
type Accounts = readonly (string | undefined)[];

// Tags: a u32 before the fields.
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

interface Layout {
  accountsMin: number;
  /** @throws {TransactionError} when the data is cut */
  read: (reader: ByteReader, accounts: Accounts) => Omit<VoteInstruction, "voteAccount"> | null;
}

/** What we read, by tag. */
const LAYOUTS: ReadonlyMap<number, Layout> = new Map<number, Layout>([
  [INITIALIZE_ACCOUNT, { accountsMin: 3, read: signedBy(null, readInitialized) }],
  [AUTHORIZE, { accountsMin: 2, read: signedBy(2, readAuthorize) }],
  [WITHDRAW, { accountsMin: 2, read: signedBy(2, readWithdrawal) }],
  [UPDATE_COMMISSION, { accountsMin: 1, read: signedBy(1, readPercent) }],
  [AUTHORIZE_CHECKED, { accountsMin: 4, read: signedBy(2, readAuthorizeChecked) }],
  [AUTHORIZE_WITH_SEED, { accountsMin: 3, read: signedWithSeed(readKey) }],
  [AUTHORIZE_CHECKED_WITH_SEED, { accountsMin: 4, read: signedWithSeed(keyInAccounts) }],
  [INITIALIZE_ACCOUNT_V2, { accountsMin: 4, read: signedBy(null, readInitializedV2) }],
  [UPDATE_COMMISSION_COLLECTOR, { accountsMin: 3, read: signedBy(2, readCollector) }],
  [UPDATE_COMMISSION_BPS, { accountsMin: 1, read: signedBy(1, readRate) }],
]);

/** Index of the base key of a seed-derived address. */
const BASE_INDEX = 2;
/** Index of the new authority where it signs too. */
const CHECKED_INDEX = 3;

/** The kind of authority that may withdraw. Authorize also sets the voter, which is 0. */
const WITHDRAWER = 1;

const INFLATION_REWARDS = 0;
const BLOCK_REVENUE = 1;

/** The runtime stores higher rates but pays this at most. */
const BASIS_POINTS_MAX = 10_000;
const BASIS_POINTS_OF_PERCENT = 100;
const SEED_BYTES_MAX = 32;
const BLS_KEY_BYTES = 48;
const BLS_PROOF_BYTES = 96;

/**
 * Reads an instruction of the vote program. Extra bytes after it are ignored, as the runtime does
 * (`limited_deserialize`): refusing them would hide a change.
 * @returns null for another instruction, cut data, or too few accounts
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
  const layout = LAYOUTS.get(reader.u32("the tag"));
  if (voteAccount === undefined || layout === undefined || accounts.length < layout.accountsMin)
    return null;
  const fields = layout.read(reader, accounts);
  return fields && { voteAccount, ...fields };
}

type ReadChange = (reader: ByteReader, accounts: Accounts) => VoteAccountChange | null;

/**
 * @param index where the authority usually is among the accounts, which the runtime does not
 * require; null: none is needed
 */
function signedBy(index: number | null, readChange: ReadChange): Layout["read"] {
  return (reader, accounts) => {
    const change = readChange(reader, accounts);
    const key = index === null ? undefined : accounts[index];
    const authority = index === null || key === undefined ? null : { key, account: index };
    return change && { authority, isFromSeed: false, change };
  };
}

/** @param readNext the new authority */
function signedWithSeed(
  readNext: (reader: ByteReader, accounts: Accounts) => string | undefined,
): Layout["read"] {
  return (reader, accounts) => {
    const whom = readWhom(reader);
    const owner = reader.take(PUBLIC_KEY_BYTES, "the owner of an address");
    const seed = readSeed(reader);
    const change = toAuthority(readNext(reader, accounts), whom);
    const base = accounts[BASE_INDEX];
    if (change === null || base === undefined || seed === null) return null;
    const authority = { key: addressWithSeed(base, seed, owner), account: BASE_INDEX };
    return { authority, isFromSeed: true, change };
  };
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

function readPercent(reader: ByteReader): VoteAccountChange {
  return { of: "inflationCommission", basisPoints: fromPercent(reader.u8("a percent")) };
}

function readRate(reader: ByteReader): VoteAccountChange | null {
  const basisPoints = cap(reader.u16("basis points"));
  // Some interface descriptions make the kind a one-byte enumeration at the end.
  const kind = reader.left === 1 ? reader.u8("the kind") : reader.u32("the kind");
  if (kind === INFLATION_REWARDS) return { of: "inflationCommission", basisPoints };
  return kind === BLOCK_REVENUE ? { of: "blockRevenueCommission", basisPoints } : null;
}

function readCollector(reader: ByteReader, [, to]: Accounts): VoteAccountChange | null {
  const kind = reader.u32("the kind");
  if (to === undefined) return null;
  if (kind === INFLATION_REWARDS) return { of: "inflationCollector", to };
  return kind === BLOCK_REVENUE ? { of: "blockRevenueCollector", to } : null;
}

function readWithdrawal(reader: ByteReader): VoteAccountChange {
  return { of: "withdrawal", lamports: reader.u64("lamports") };
}

function readAuthorize(reader: ByteReader): VoteAccountChange | null {
  return toAuthority(readKey(reader), readWhom(reader));
}

function readAuthorizeChecked(reader: ByteReader, accounts: Accounts): VoteAccountChange | null {
  return toAuthority(keyInAccounts(reader, accounts), readWhom(reader));
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

function keyInAccounts(_reader: ByteReader, accounts: Accounts): string | undefined {
  return accounts[CHECKED_INDEX];
}

function toAuthority(to: string | undefined, whom: number): VoteAccountChange | null {
  return whom === WITHDRAWER && to !== undefined ? { of: "withdrawAuthority", to } : null;
}

function fromPercent(percent: number): number {
  return cap(percent * BASIS_POINTS_OF_PERCENT);
}

function cap(basisPoints: number): number {
  return Math.min(basisPoints, BASIS_POINTS_MAX);
}
