import { z } from "zod";
import { networkSchema, type Network } from "../../contract/networks.ts";
import { countSchema, timeSchema } from "../../contract/values.ts";
import { messageOf } from "../../contract/error-message.ts";
import { toNetworkPrefixes, toObjectKey } from "../../contract/object-keys.ts";
import type { WalletShard } from "../../contract/wallets.ts";
import { STAKE_RECORDS_MAX, type StakeRecords } from "../../observe/stakes/stake-records.ts";
import { isOfWalletIndex } from "../../publish/compare.ts";
import { acquireLease, type Lease } from "../../publish/lease.ts";
import { putDocument } from "../../publish/upload.ts";
import { getOrDamaged, isUndamaged } from "../../store/damaged.ts";
import type { ObjectStore } from "../../store/store.ts";
import { compress, decompress } from "../../store/zstd.ts";
import { toCounted, type Report } from "../report.ts";
import { toShardedIndex, type IndexHead, type ShardedIndex } from "./shards.ts";

/**
 * The wallet index of a network, which is not part of the journal. The first accepted stake scan
 * of an epoch fills it, and the previous index stays until the new one is complete.
 */
export interface WalletIndex {
  /** Whether an epoch's index is missing. Call it before each snapshot. */
  findMissing(): Promise<(epoch: number) => boolean>;
  /** Takes the accounts of an accepted scan for {@link write}. */
  hold(records: StakeRecords, head: IndexHead): void;
  /**
   * Writes until the time is up; the next call continues, or starts over after a failure. If
   * another generator is writing, it does nothing.
   * @param most.milliseconds starts no object later; default: no limit
   */
  write(report: Report, most?: { milliseconds: number }): Promise<void>;
}

interface WalletIndexPlace {
  network: Network;
  series: number;
  publicStore: ObjectStore;
  stateStore: ObjectStore;
  clock: { now: () => number; timer: () => number };
  holder: string;
}

const AUDIT_MILLISECONDS = 60 * 60_000;
const CONCURRENCY = 16;

/** An index being written: ETags by shard, and the shards to come. */
interface Work {
  head: IndexHead;
  records: StakeRecords;
  index: ShardedIndex;
  left: Generator<WalletShard>;
  etags: Map<string, string>;
  wallets: number;
}

/** Opens the index of a network. It does no I/O until its first use. */
export function openWalletIndex(place: WalletIndexPlace): WalletIndex {
  const { network, series, clock, publicStore } = place;
  let work: Work | null = null;
  let complete: { epoch: number; seenAt: number } | null = null;
  let leftOutEpoch: number | null = null;

  /** @param wanted null: of any epoch */
  async function findWhole(wanted: number | null): Promise<IndexRecord | null> {
    const record = await readRecord(place);
    if (record?.series !== series || record.epoch !== (wanted ?? record.epoch)) return null;
    return (await isAsPut(place, record.etags)) ? record : null;
  }

  const toComplete = ({ epoch }: Pick<IndexHead, "epoch">) => ({ epoch, seenAt: clock.now() });

  function begin(records: StakeRecords, head: IndexHead): Work {
    const index = toShardedIndex(records, head);
    return { head, records, index, left: index.shards(), etags: new Map(), wallets: 0 };
  }

  async function finish({
    head: { epoch, slot, asOf: time },
    index,
    etags,
    wallets,
  }: Work): Promise<void> {
    const asOf = { epoch, slot, asOf: time };
    const data = { ...asOf, stakeAccounts: index.stakeAccounts, wallets, shards: index.count };
    const body = toBytes({ data, meta: { network } });
    etags.set(
      "",
      await putDocument(publicStore, { network, reference: { kind: "wallets", names: {} }, body }),
    );
    await writeRecord(place, {
      format: RECORD_FORMAT,
      network,
      series,
      ...asOf,
      etags: Object.fromEntries(etags),
    });
    complete = toComplete(asOf);
  }

  return {
    async findMissing() {
      const isSeen = complete !== null && clock.now() - complete.seenAt < AUDIT_MILLISECONDS;
      if (!isSeen && work === null) {
        const record = await findWhole(null);
        complete = record === null ? null : toComplete(record);
      }
      return (epoch) => epoch !== leftOutEpoch && (work?.head.epoch ?? complete?.epoch) !== epoch;
    },
    hold(records, head) {
      // If there are too many, the last index stays; half an index is worse.
      if (records.count() > STAKE_RECORDS_MAX) leftOutEpoch = head.epoch;
      else work = begin(records, head);
    },
    async write(report, { milliseconds } = { milliseconds: Infinity }) {
      if (work === null) return;
      const current = work;
      const until = clock.timer() + milliseconds;
      try {
        // Two writers at once would find each other's objects and write again and again.
        const lease = await acquireLease({ ...place, now: clock.now, purpose: "wallets" });
        if ("otherHolder" in lease) return;
        if (current.etags.size === 0 && (await findWhole(current.head.epoch)) !== null)
          complete = toComplete(current.head);
        else {
          const isDone = await putShards(place, current, {
            lease,
            hasTime: () => clock.timer() < until,
          });
          // The lease is kept until the next call, or until it expires.
          if (!isDone) return void report.upkeep.push(toProgressLine(current));
          await finish(current);
          report.upkeep.push(toDoneLine(current));
        }
        work = null;
        // A lease that is not released expires.
        await Promise.allSettled([lease.release()]);
      } catch (error) {
        work = begin(current.records, current.head);
        report.upkeep.push(
          `the wallet index was not written and is tried again: ${messageOf(error)}`,
        );
      }
    },
  };
}

/** False: out of time. */
async function putShards(
  { network, publicStore }: WalletIndexPlace,
  work: Work,
  { lease, hasTime }: { lease: Lease; hasTime: () => boolean },
): Promise<boolean> {
  let isDone = false;
  let isFailed = false;
  const putInTurn = async () => {
    while (!isDone && !isFailed && hasTime()) {
      const made = makeNext(work);
      if (made === null) {
        isDone = true;
        return;
      }
      const reference = { kind: "walletShard", names: { shard: made.shard } } as const;
      await lease.extend();
      work.etags.set(
        made.shard,
        await putDocument(publicStore, { network, reference, body: made.body }),
      );
    }
  };
  const turns = Array.from({ length: CONCURRENCY }, () =>
    putInTurn().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  await Promise.allSettled(turns);
  await Promise.all(turns);
  return isDone;
}

/**
 * null: none is left. It returns bytes, because all rows at once would take ten times the memory.
 */
function makeNext(work: Work): { shard: string; body: Uint8Array } | null {
  const next = work.left.next();
  if (next.done === true) return null;
  work.wallets += next.value.data.wallets.length;
  return { shard: next.value.meta.shard, body: toBytes(next.value) };
}

function toBytes(document: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}

function toDoneLine({ head, index, wallets }: Work): string {
  const accounts = toCounted(index.stakeAccounts, "stake account");
  return `wallet index of epoch ${head.epoch}: ${accounts} of ${toCounted(wallets, "wallet")} in ${toCounted(index.count, "object")}`;
}

function toProgressLine({ head, index, etags }: Work): string {
  return `wallet index of epoch ${head.epoch}: ${etags.size} of ${toCounted(index.count, "object")} written so far`;
}

const RECORD_FORMAT = 1;
const RECORD_BYTES_MAX = 8 * 1024 * 1024;

/** Written last: without it an index is not complete. */
const recordSchema = z.object({
  format: z.literal(RECORD_FORMAT),
  network: networkSchema,
  series: z.int().min(1),
  epoch: countSchema,
  slot: countSchema,
  asOf: timeSchema,
  /** By shard; the head's under the empty name. */
  etags: z.record(z.string(), z.string()),
});

type IndexRecord = z.infer<typeof recordSchema>;

const toRecordKey = (network: string) => `wallets/${network}.json.zst`;

async function writeRecord(
  { stateStore, network }: WalletIndexPlace,
  record: IndexRecord,
): Promise<void> {
  const body = compress(toBytes(record));
  await stateStore.put(toRecordKey(network), body, {
    expect: "any",
    contentType: "application/zstd",
  });
}

/** null: there is no complete and readable index, so it is written again. */
async function readRecord({ stateStore, network }: WalletIndexPlace): Promise<IndexRecord | null> {
  const object = await getOrDamaged(stateStore, toRecordKey(network));
  if (!isUndamaged(object)) return null;
  try {
    const json = decompress(object.body, { bytesMax: RECORD_BYTES_MAX });
    const record = recordSchema.parse(JSON.parse(json.toString("utf8")));
    return record.network === network ? record : null;
  } catch {
    return null;
  }
}

/** Another generator may have written older objects, or someone may have deleted some. */
async function isAsPut(
  { publicStore, network }: WalletIndexPlace,
  etags: IndexRecord["etags"],
): Promise<boolean> {
  const [documents = ""] = toNetworkPrefixes(network);
  const expected = new Map(
    Object.entries(etags).map(([shard, etag]) => [
      shard === ""
        ? toObjectKey(network, "wallets", {})
        : toObjectKey(network, "walletShard", { shard }),
      etag,
    ]),
  );
  for await (const { key, etag } of publicStore.list(`${documents}wallets`)) {
    if (!isOfWalletIndex(network, key)) continue;
    if (expected.has(key) && expected.get(key) !== etag) return false;
    expected.delete(key);
  }
  return expected.size === 0;
}
