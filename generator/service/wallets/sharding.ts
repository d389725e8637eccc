import { keyModulo } from "../../chain/base58.ts";
import { toShardIndex } from "../../contract/wallets.ts";
import {
  CHUNK_RECORDS,
  readStakeRecord,
  type StakeRecord,
  type StakeRecords,
} from "../../observe/stakes/stake-records.ts";

/** Objects are made on demand. */
export interface Sharding {
  /** Distinct accounts. Pages may repeat an account; its last reading counts. */
  stakeAccounts: number;
  /** Accounts whose own key is in the shard. */
  own(shard: number): StakeRecord[];
  /** Accounts whose withdraw authority is in the shard. */
  ofWallets(shard: number): StakeRecord[];
}

/**
 * Hundreds are usual. The limit keeps an endpoint that invents millions of accounts for one wallet
 * from filling the memory.
 */
const SHARD_RECORDS_MAX = 200_000;

/** A counting sort by either key, in 12 bytes a record. */
export function shardRecords(records: StakeRecords, count: number): Sharding {
  const total = records.count();
  const [ids, own, ofWallets] = [
    new Uint32Array(total),
    new Uint16Array(total),
    new Uint16Array(total),
  ];
  let next = 0;
  for (const [chunkIndex, chunk] of records.chunks().entries()) {
    for (let index = 0; index < chunk.count; index += 1) {
      const { stakeAccount, bytes, withdrawerAt } = readStakeRecord(chunk, index);
      ids[next] = chunkIndex * CHUNK_RECORDS + index;
      own[next] = toShardIndex(stakeAccount, count);
      ofWallets[next] = keyModulo(bytes, withdrawerAt, count);
      next += 1;
    }
  }
  const [idsOfOwn, idsOfWallets] = [own, ofWallets].map((shards) =>
    sortByShard(ids, shards, count),
  ) as [Sorted, Sorted];
  const repeated = markRepeated(records, { count, idsOfOwn });
  const read = (some: Uint32Array): StakeRecord[] => {
    const kept = some.filter((id) => repeated.marks[id] !== 1).subarray(0, SHARD_RECORDS_MAX);
    return Array.from(kept, (id) => readRecord(records, id));
  };
  return {
    stakeAccounts: total - repeated.count,
    own: (shard) => read(idsOfOwn(shard)),
    ofWallets: (shard) => read(idsOfWallets(shard)),
  };
}

type Sorted = (shard: number) => Uint32Array;

function sortByShard(ids: Uint32Array, shards: Uint16Array, count: number): Sorted {
  const begins = new Uint32Array(count + 1);
  for (const shard of shards) begins[shard + 1] = (begins[shard + 1] ?? 0) + 1;
  for (let shard = 0; shard < count; shard += 1)
    begins[shard + 1] = (begins[shard + 1] ?? 0) + (begins[shard] ?? 0);
  const sorted = new Uint32Array(ids.length);
  const next = begins.slice();
  for (let index = 0; index < ids.length; index += 1) {
    const shard = shards[index] ?? 0;
    const to = next[shard] ?? 0;
    sorted[to] = ids[index] ?? 0;
    next[shard] = to + 1;
  }
  return (shard) => sorted.subarray(begins[shard], begins[shard + 1]);
}

/** Marks each record that was read again later. */
function markRepeated(
  records: StakeRecords,
  { count, idsOfOwn }: { count: number; idsOfOwn: Sorted },
): { marks: Uint8Array; count: number } {
  const marks = new Uint8Array(records.chunks().length * CHUNK_RECORDS);
  let marked = 0;
  for (let shard = 0; shard < count; shard += 1) {
    const seen = new Map<string, number>();
    for (const id of idsOfOwn(shard)) {
      const { stakeAccount } = readRecord(records, id);
      const before = seen.get(stakeAccount);
      if (before !== undefined) {
        marks[before] = 1;
        marked += 1;
      }
      seen.set(stakeAccount, id);
    }
  }
  return { marks, count: marked };
}

function readRecord(records: StakeRecords, id: number): StakeRecord {
  const chunk = records.chunks()[Math.floor(id / CHUNK_RECORDS)];
  if (chunk === undefined) throw new RangeError(`there is no record ${id}`);
  return readStakeRecord(chunk, id % CHUNK_RECORDS);
}
