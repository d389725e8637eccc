import { encodeKeyAt } from "../../chain/base58.ts";
import { compareText } from "../../contract/lists.ts";
import type { Network } from "../../contract/networks.ts";
import {
  countWalletShards,
  SHARD_MORE_ACCOUNTS_MAX,
  WALLET_SHARE_ACCOUNTS,
  type StakeState,
  type WalletShard,
} from "../../contract/wallets.ts";
import type { StakeRecord, StakeRecords } from "../../observe/stakes/stake-records.ts";
import { shardRecords, type Sharding } from "./sharding.ts";

/** The reading that an index is of. */
export interface IndexHead {
  network: Network;
  epoch: number;
  slot: number;
  /** ISO 8601 in UTC. */
  asOf: string;
}

/** Only the shards being written are in memory. */
export interface ShardedIndex {
  count: number;
  stakeAccounts: number;
  shards(): Generator<WalletShard>;
}

/**
 * A shard keeps its largest accounts, by own keys and again by wallets. Whoever wants to fill a
 * shard with chosen keys must pay the rent of this many.
 */
const SHARD_ACCOUNTS_MAX = 20_000;

/** The order of the records does not matter. */
export function toShardedIndex(records: StakeRecords, head: IndexHead): ShardedIndex {
  const count = countWalletShards(records.count());
  const sharding = shardRecords(records, count);
  return {
    count,
    stakeAccounts: sharding.stakeAccounts,
    *shards() {
      const nameOf = createNaming();
      for (let shardIndex = 0; shardIndex < count; shardIndex += 1)
        yield toShard(sharding, { shardIndex, shard: `${count}-${shardIndex}`, head, nameOf });
    },
  };
}

type NameOf = (bytes: Buffer, at: number) => string;

/** A million stake accounts name a thousand vote accounts. */
const NAMES_MAX = 20_000;

function createNaming(): NameOf {
  const names = new Map<string, string>();
  return (bytes, at) => {
    const key = toBytesKey(bytes, at);
    const name = names.get(key) ?? encodeKeyAt(bytes, at);
    if (names.size < NAMES_MAX) names.set(key, name);
    return name;
  };
}

interface ShardContext {
  shardIndex: number;
  shard: string;
  head: IndexHead;
  nameOf: NameOf;
}

function toShard(
  sharding: Sharding,
  { shardIndex, shard, head, nameOf }: ShardContext,
): WalletShard {
  const { network, ...asOf } = head;
  const votes = createVoteTable(nameOf);
  const stakeAccounts = listOwn(sharding.own(shardIndex), votes.toDelegated);
  const wallets = listWallets(sharding.ofWallets(shardIndex), votes.toDelegated);
  return {
    data: {
      ...asOf,
      votePubkeys: votes.votePubkeys,
      wallets: wallets.rows,
      stakeAccounts: stakeAccounts.rows,
    },
    meta: { network, shard, leftOut: stakeAccounts.leftOut + wallets.leftOut },
  };
}

type ToDelegated = (record: StakeRecord) => [vote: number, lamports: string, state: StakeState];

function createVoteTable(nameOf: NameOf): { votePubkeys: string[]; toDelegated: ToDelegated } {
  const votePubkeys: string[] = [];
  const voteIndexes = new Map<string, number>();
  return {
    votePubkeys,
    toDelegated({ bytes, voterAt, lamports, state }) {
      const votePubkey = nameOf(bytes, voterAt);
      const voteIndex = voteIndexes.get(votePubkey) ?? votePubkeys.push(votePubkey) - 1;
      voteIndexes.set(votePubkey, voteIndex);
      return [voteIndex, String(lamports), state];
    },
  };
}

interface Listed<Row> {
  rows: Row[];
  /** Accounts without room. */
  leftOut: number;
}

function listOwn(
  own: StakeRecord[],
  toDelegated: ToDelegated,
): Listed<WalletShard["data"]["stakeAccounts"][number]> {
  const kept = own.sort(byLamports).slice(0, SHARD_ACCOUNTS_MAX).sort(byKey);
  return {
    rows: kept.map((record) => [
      record.stakeAccount,
      encodeKeyAt(record.bytes, record.withdrawerAt),
      ...toDelegated(record),
    ]),
    leftOut: own.length - kept.length,
  };
}

function listWallets(
  records: StakeRecord[],
  toDelegated: ToDelegated,
): Listed<WalletShard["data"]["wallets"][number]> {
  const groups = Map.groupBy(records.sort(byLamports), ({ bytes, withdrawerAt }) =>
    toBytesKey(bytes, withdrawerAt),
  );
  const rows: Listed<WalletShard["data"]["wallets"][number]>["rows"] = [];
  let room = SHARD_ACCOUNTS_MAX;
  // Apart, so that large wallets do not take the others' room.
  let moreRoom = SHARD_MORE_ACCOUNTS_MAX;
  let leftOut = 0;
  for (const accounts of groups.values()) {
    const [first] = accounts;
    const share = Math.min(accounts.length, WALLET_SHARE_ACCOUNTS);
    room -= share;
    if (first === undefined || room < 0) leftOut += accounts.length;
    else {
      const more = Math.min(accounts.length - share, moreRoom);
      moreRoom -= more;
      const lamports = String(accounts.reduce((sum, one) => sum + one.lamports, 0n));
      const list = accounts
        .slice(0, share + more)
        .map((one): [string, number, string, StakeState] => [
          one.stakeAccount,
          ...toDelegated(one),
        ]);
      rows.push([encodeKeyAt(first.bytes, first.withdrawerAt), accounts.length, lamports, list]);
    }
  }
  return { rows: rows.sort(([one], [other]) => compareText(one, other)), leftOut };
}

function toBytesKey(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 32);
}

function byLamports(one: StakeRecord, other: StakeRecord): number {
  if (one.lamports !== other.lamports) return one.lamports < other.lamports ? 1 : -1;
  return byKey(one, other);
}

function byKey(one: StakeRecord, other: StakeRecord): number {
  return compareText(one.stakeAccount, other.stakeAccount);
}
