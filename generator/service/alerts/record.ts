import { z } from "zod";
import type { CommissionEvent } from "../../contract/event.ts";
import { networkSchema, type Network } from "../../contract/networks.ts";
import { countSchema, timeSchema } from "../../contract/values.ts";
import { getOrDamaged, isUndamaged, setAside } from "../../store/damaged.ts";
import type { ObjectStore } from "../../store/store.ts";
import { compress, decompress } from "../../store/zstd.ts";

const FORMAT = 1;
const JSON_BYTES_MAX = 64 * 1024 * 1024;

/** A confirmed event as feeds show it. */
export type AlertEvent = CommissionEvent & { createdAt: string };

/** As it was published then: a later version may publish more fields. */
const storedEventSchema = z.custom<AlertEvent>(
  (value) => z.object({ id: z.string(), votePubkey: z.string(), severity: z.string() }).safeParse(value).success,
);

/** What a target is told: of an event, or that one it was told of is none any more. */
export const MESSAGE_TYPES = ["commission.changed", "commission.withdrawn"] as const;

const messageSchema = z.object({
  /** The same at each attempt: who is told twice knows it by that. */
  id: z.string(),
  type: z.enum(MESSAGE_TYPES),
  event: storedEventSchema,
  queuedAt: timeSchema,
});

const toldSchema = z.object({
  event: storedEventSchema,
  /** How many times it was told as a change: more than once if it was taken back in between. */
  rounds: countSchema,
  isWithdrawn: z.boolean(),
});

const recordSchema = z.object({
  format: z.literal(FORMAT),
  network: networkSchema,
  target: z.string(),
  series: z.int().min(1),
  /** What was confirmed before is not told. */
  since: timeSchema,
  /** Events that were looked at lately, told or not, and when they were confirmed. */
  known: z.array(z.object({ id: z.string(), at: timeSchema })),
  /** Events that left the queue, oldest first: they may have to be taken back. */
  told: z.array(toldSchema),
  /** In the order in which it is delivered. The first may have arrived already. */
  queue: z.array(messageSchema),
  /** Attempts that failed since the last that did not. */
  failures: countSchema,
  /** No attempt before; null: at once. */
  retryAt: timeSchema.nullable(),
});

export type AlertMessage = z.infer<typeof messageSchema>;
export type Told = z.infer<typeof toldSchema>;

/**
 * The outbox of one target and network. It is a memory of what was told, beside a journal that tells what happened: what is
 * not in it is worked out again.
 */
export type OutboxRecord = z.infer<typeof recordSchema>;

export interface OutboxPlace {
  stateStore: ObjectStore;
  network: Network;
  /** Name of the target. */
  target: string;
}

/** What a record begins with. */
export function createRecord(
  { network, target }: OutboxPlace,
  { series, since }: { series: number; since: string },
): OutboxRecord {
  return { format: FORMAT, network, target, series, since, known: [], told: [], queue: [], failures: 0, retryAt: null };
}

/**
 * Reads a record; null: there is none. `"damaged"`: there was one, which was set aside.
 *
 * @throws {StoreError}
 * @throws {Error} when a newer version wrote it
 */
export async function readRecord(place: OutboxPlace): Promise<OutboxRecord | "damaged" | null> {
  const key = toRecordKey(place);
  const object = await getOrDamaged(place.stateStore, key);
  if (object === null) return null;
  if (!isUndamaged(object)) return "damaged";
  const value = await toJson(object.body);
  const newer = z.looseObject({ format: z.int().min(FORMAT + 1) }).safeParse(value);
  if (newer.success) throw new Error(`${key} has the format ${newer.data.format}, known is ${FORMAT}`);
  const { data: record } = recordSchema.safeParse(value);
  if (record?.network === place.network && record.target === place.target) return record;
  await setAside(place.stateStore, object);
  return "damaged";
}

/** @throws {StoreError} */
export async function writeRecord(place: OutboxPlace, record: OutboxRecord): Promise<void> {
  const body = await compress(new TextEncoder().encode(JSON.stringify(record)));
  await place.stateStore.put(toRecordKey(place), body, { expect: "any", contentType: "application/zstd" });
}

/** Undefined when it is none. */
async function toJson(body: Uint8Array): Promise<unknown> {
  try {
    return JSON.parse((await decompress(body, { bytesMax: JSON_BYTES_MAX })).toString("utf8"));
  } catch {
    return undefined;
  }
}

function toRecordKey({ network, target }: OutboxPlace): string {
  return `alerts/${network}/${target}.json.zst`;
}
