import { z } from "zod";
import { toStake } from "./numbers.ts";
import { PARAMETERS } from "./parameters.ts";
import { validatorSchema, type Validator } from "./validator.ts";
import { countSchema, envelopeOf, pubkeySchema, stakeSchema, timeSchema } from "./values.ts";

/*
 * The wallet index holds the stake accounts of each withdraw authority, read once an epoch. The
 * last characters of a key name its shard, so a key takes one read. Each account is in its
 * authority's shard and in its own.
 */

/** States of a stake account in an epoch, in the order in which it passes them. */
export const STAKE_STATES = ["activating", "active", "deactivating", "inactive"] as const;

/** State of a stake account in an epoch. */
export type StakeState = (typeof STAKE_STATES)[number];

/** Accounts that a shard keeps of every wallet, if it has them. */
export const WALLET_SHARE_ACCOUNTS = 1_000;

/** Accounts beyond that share that a shard keeps, of the largest wallets first. */
export const SHARD_MORE_ACCOUNTS_MAX = 20_000;

/** Most accounts listed for one wallet. Its sums count all. */
export const WALLET_ACCOUNTS_MAX = WALLET_SHARE_ACCOUNTS + SHARD_MORE_ACCOUNTS_MAX;

/**
 * How many shards an index may have. At 1.2 million accounts each of 2,048 shards has 150 KB, or 90
 * KB compressed, and each epoch writes all of them.
 */
export const WALLET_SHARD_COUNTS = [1, 64, 2_048] as const;

/** Most accounts of a shard on average; more accounts take more shards. */
const SHARD_ACCOUNTS = 1_000;

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** Returns how many shards an index of so many accounts has. */
export function countWalletShards(accounts: number): number {
  return (
    WALLET_SHARD_COUNTS.find((count) => accounts <= count * SHARD_ACCOUNTS) ??
    WALLET_SHARD_COUNTS[2]
  );
}

/**
 * Returns the name of a key's shard, `2048-17`: the number of shards, then the shard's index. It
 * has no letters, because some file systems ignore case.
 */
export function toWalletShard(pubkey: string, count: number): string {
  return `${count}-${toShardIndex(pubkey, count)}`;
}

/**
 * Returns the index of a key's shard: the key as a number modulo `count`, which is at most 65,536.
 */
export function toShardIndex(pubkey: string, count: number): number {
  let index = 0;
  // Only the last characters count: 58^6 is 0 modulo 64, and 58^11 is 0 modulo 2,048.
  for (
    let weight = 1 % count, from = pubkey.length - 1;
    weight > 0 && from >= 0;
    weight = (weight * 58) % count, from -= 1
  )
    index = (index + weight * BASE58.indexOf(pubkey.charAt(from))) % count;
  return index;
}

/** Reads the number of shards in a shard's name; null: no shard can have that name. */
export function readShardCount(shard: string): number | null {
  const [count = NaN, index = NaN] = shard.split("-").map(Number);
  const isKnown = WALLET_SHARD_COUNTS.some((known) => known === count);
  return isKnown && index < count && shard === `${count}-${index}` ? count : null;
}

const asOf = {
  epoch: countSchema.meta({ description: "Epoch of every state in the answer." }),
  slot: countSchema.meta({ description: "Slot of the snapshot that read the accounts." }),
  asOf: timeSchema.meta({ description: "Time at which that snapshot began to read them, UTC." }),
};

const lamportsSchema = z.string().regex(/^\d+$/);
const stateSchema = z
  .enum(STAKE_STATES)
  .meta({
    description:
      "activating: earns from the next epoch on. active: earns. deactivating: earns until " +
      "this epoch ends. inactive: earns nothing and can be withdrawn. All of an account's " +
      "stake changes state at once, at an epoch's end.",
  });

const delegatedSchemas = [countSchema, lamportsSchema, stateSchema] as const;
/**
 * `[wallet, accounts, lamports, listed]`: how many accounts it has, their sum, and those listed.
 */
const walletRowSchema = z.tuple([
  pubkeySchema,
  countSchema,
  lamportsSchema,
  z.array(z.tuple([pubkeySchema, ...delegatedSchemas])),
]);
/** A stake account, its withdraw authority, and its delegation. */
const stakeAccountRowSchema = z.tuple([pubkeySchema, pubkeySchema, ...delegatedSchemas]);

/** An object `wallets/SHARD.json`. The proxy answers `/wallets/{pubkey}` from it. */
export const walletShardSchema = envelopeOf(
  z.object({
    ...asOf,
    votePubkeys: z.array(pubkeySchema),
    /** Rows instead of objects by key: the engine would keep a million property names forever. */
    wallets: z.array(walletRowSchema),
    stakeAccounts: z.array(stakeAccountRowSchema),
  }),
  { shard: z.string(), leftOut: countSchema },
);

/** One shard of the wallet index. `leftOut` counts accounts over the limits of lists. */
export type WalletShard = z.infer<typeof walletShardSchema>;

/**
 * The object `wallets.json`: of which epoch the last complete index is, and its number of shards.
 */
export const walletsSchema = envelopeOf(
  z
    .object({
      ...asOf,
      stakeAccounts: countSchema.meta({ description: "Delegated stake accounts in the index." }),
      wallets: countSchema.meta({
        description: "Distinct withdraw authorities of these accounts.",
      }),
      shards: countSchema.meta({ description: "Number of objects that hold the index." }),
    })
    .meta({ id: "WalletIndex", description: "The last complete wallet index." }),
  {},
);

const walletAccountSchema = z
  .object({
    stakeAccount: pubkeySchema.meta({ description: "The stake account." }),
    withdrawAuthority: pubkeySchema.meta({
      description: "Withdraw authority of the account, Base58. The API ignores lockups.",
    }),
    votePubkey: pubkeySchema.meta({
      description: "Vote account that it is delegated to, Base58. `getValidator` may not know it.",
    }),
    lamports: lamportsSchema.meta({
      description:
        "Delegated lamports, as a string of decimal digits. The account's rent is not included.",
    }),
    sol: z
      .number()
      .min(0)
      .meta({
        description: "The same amount in SOL, for display: lamports / 1e9, rounded to a double.",
      }),
    stake: stakeSchema.meta({ description: "The same amount as an object." }),
    state: stateSchema,
    validator: validatorSchema
      .pick({
        name: true,
        iconUrl: true,
        delinquent: true,
        commission: true,
        appliedCommission: true,
        nextAppliedCommission: true,
        appliedCommissions: true,
        mevCommission: true,
        verdict: true,
        verdictReason: true,
      })
      .nullable()
      .meta({
        description: "The validator that it is delegated to, as of now; null: it is not listed.",
      }),
  })
  .meta({ id: "WalletAccount", description: "One delegated stake account in one epoch." });

/** A stake account as published. */
export type WalletAccount = z.infer<typeof walletAccountSchema>;

/** Answer of `/wallets/{pubkey}`. The proxy makes it of one shard; no object holds it. */
export const walletDocumentSchema = envelopeOf(z.array(walletAccountSchema), {
  pubkey: pubkeySchema.meta({ description: "The requested key." }),
  role: z
    .enum(["withdrawAuthority", "stakeAccount"])
    .meta({
      description:
        "What the key is: the withdraw authority of these accounts, or a stake account itself.",
    }),
  ...asOf,
  page: countSchema.meta({ description: "Page returned, from 1." }),
  limit: countSchema.meta({ description: "Most accounts on a page." }),
  total: countSchema.meta({
    description: `Stake accounts, also those beyond the ${WALLET_ACCOUNTS_MAX.toLocaleString("en")} that can be listed.`,
  }),
  totalPages: countSchema.meta({ description: "Pages of the accounts that are listed." }),
  stake: stakeSchema.meta({
    description: "Delegated stake of all of them, including inactive accounts.",
  }),
});

/** The stake accounts of a wallet, or one stake account. */
export type WalletDocument = z.infer<typeof walletDocumentSchema>;

/** Which of a wallet's accounts are wanted, and what is known of their validators. */
export interface WalletPage {
  /** From 1; one past the end is empty. */
  page?: number;
  limit?: number;
  /** The listed ones; an account of any other has `validator: null`. */
  validators?: readonly Validator[];
}

/**
 * Finds a key in its shard, first as a withdraw authority, then as a stake account; null: it is
 * neither.
 */
export function findWallet(
  { data, meta }: WalletShard,
  pubkey: string,
  {
    page = PARAMETERS.page.default,
    limit = PARAMETERS.walletLimit.default,
    validators = [],
  }: WalletPage = {},
): WalletDocument | null {
  const listed = new Map(validators.map((validator) => [validator.votePubkey, validator]));
  const { epoch, slot, asOf, votePubkeys, wallets, stakeAccounts } = data;
  const toAccount = (
    stakeAccount: string,
    withdrawAuthority: string,
    [vote, lamports, state]: Delegated,
  ): WalletAccount => {
    const votePubkey = votePubkeys[vote] ?? "";
    const stake = toStake(BigInt(lamports));
    const validator = toWalletValidator(listed.get(votePubkey));
    return { stakeAccount, withdrawAuthority, votePubkey, ...stake, stake, state, validator };
  };
  const wallet = wallets.find(([key]) => key === pubkey);
  const account = stakeAccounts.find(([key]) => key === pubkey);
  const toDocument = (
    role: WalletDocument["meta"]["role"],
    { withdrawAuthority, total, lamports, accounts }: FoundAccounts,
  ): WalletDocument => ({
    data: accounts
      .slice((page - 1) * limit, page * limit)
      .map(([stakeAccount, ...delegated]) => toAccount(stakeAccount, withdrawAuthority, delegated)),
    meta: {
      network: meta.network,
      pubkey,
      role,
      epoch,
      slot,
      asOf,
      page,
      limit,
      total,
      totalPages: Math.ceil(accounts.length / limit),
      stake: toStake(BigInt(lamports)),
    },
  });
  if (wallet !== undefined) {
    const [, total, lamports, accounts] = wallet;
    const found = { withdrawAuthority: pubkey, total, lamports, accounts };
    return toDocument("withdrawAuthority", found);
  }
  if (account === undefined) return null;
  const [, withdrawAuthority, ...delegated] = account;
  const [, lamports] = delegated;
  const accounts: FoundAccounts["accounts"] = [[pubkey, ...delegated]];
  return toDocument("stakeAccount", { withdrawAuthority, total: 1, lamports, accounts });
}

interface FoundAccounts {
  withdrawAuthority: string;
  total: number;
  lamports: string;
  accounts: [stakeAccount: string, ...Delegated][];
}

function toWalletValidator(validator: Validator | undefined): WalletAccount["validator"] {
  if (validator === undefined) return null;
  const { name, iconUrl, delinquent, commission, appliedCommission } = validator;
  const { nextAppliedCommission, appliedCommissions, mevCommission } = validator;
  const { verdict, verdictReason } = validator;
  return {
    name,
    iconUrl,
    delinquent,
    commission,
    appliedCommission,
    nextAppliedCommission,
    appliedCommissions,
    mevCommission,
    verdict,
    verdictReason,
  };
}

type Delegated = [vote: number, lamports: string, state: StakeState];
