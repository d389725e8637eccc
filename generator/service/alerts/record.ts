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

/** As published then: later versions may publish more fields. */
const storedEventSchema = z.custom<AlertEvent>(
  (value) => z.object({ id: z.string(), votePubkey: z.string(), severity: z.string() }).safeParse(value).success,
);

/** What a target is told: that a commission changed, or that an event it was told of no longer stands. */
export const MESSAGE_TYPES = ["commission.changed", "commission.withdrawn"] as const;

const messageSchema = z.object({
  /** The same at each attempt, so that the receiver can drop duplicates. */
  id: z.string(),
  type: z.enum(MESSAGE_TYPES),
  event: storedEventSchema,
  queuedAt: timeSchema,
});

const toldSchema = z.object({
  event: storedEventSchema,
  /** How often it was told as a change: again after each withdrawal. */
  rounds: countSchema,
  isWithdrawn: z.boolean(),
});

const undeliveredSchema = z.object({ id: z.string(), reason: z.string(), at: timeSchema });

const recordSchema = z.object({
  format: z.literal(FORMAT),
  network: networkSchema,
  target: z.string(),
  /** Identifies url, shape and secret: a new one starts without the old one's failures. */
  addressDigest: z.string().default(""),
  series: z.int().min(1),
  /** Only what is confirmed from here on is told. */
  since: timeSchema,
  /** Events seen lately, told or not, and when they were confirmed. */
  known: z.array(z.object({ id: z.string(), at: timeSchema })),
  /** Events that left the queue, oldest first: they can be withdrawn. */
  told: z.array(toldSchema),
  /** In the order of delivery. The first may have arrived already. */
  queue: z.array(messageSchema),
  /** How often the target refused the first of the queue. */
  refusals: countSchema.default(0),
  /** Refused and passed over since the last delivery: they return to the queue if the target proves wrong. */
  setAside: z.array(messageSchema).default([]),
  /** Too many messages in a row were refused: none is set aside until one arrives. */
  refusesAll: z.boolean().default(false),
  /** Failed attempts in a row. */
  failures: countSchema,
  /** The last failure and the start of its row; null: none. */
  failure: z.object({ reason: z.string(), since: timeSchema }).nullable().default(null),
  /** No attempt before; null: at once. */
  retryAt: timeSchema.nullable(),
  /** Messages of the last week that were set aside or given up, oldest first: for `doctor`. */
  undelivered: z.array(undeliveredSchema).default([]),
});

export type AlertMessage = z.infer<typeof messageSchema>;
export type Told = z.infer<typeof toldSchema>;

/** The outbox of one target and network: what the target was told, and what it still has to be told. */
export type OutboxRecord = z.infer<typeof recordSchema>;

export interface OutboxPlace {
  stateStore: ObjectStore;
  network: Network;
  target: string;
}

/** What a record begins with. */
export function createRecord(
  { network, target }: OutboxPlace,
  { series, since }: { series: number; since: string },
): OutboxRecord {
  return recordSchema.parse({
    ...{ format: FORMAT, network, target, series, since },
    ...{ known: [], told: [], queue: [], failures: 0, retryAt: null },
  });
}

/**
 * Reads a record; null: there is none. A damaged one is moved to the quarantine.
 *
 * @throws {StoreError}
 * @throws {Error} when a newer version wrote it
 */
export async function readRecord(place: OutboxPlace): Promise<OutboxRecord | "damaged" | null> {
  const object = await getOrDamaged(place.stateStore, toRecordKey(place));
  if (object === null) return null;
  if (!isUndamaged(object)) return "damaged";
  const record = await parseRecord(place, object.body);
  if (record === null) await setAside(place.stateStore, object);
  return record ?? "damaged";
}

/**
 * Reads a record and leaves it as it is; null: there is none, or none that can be read.
 *
 * @throws {StoreError}
 * @throws {Error} when a newer version wrote it
 */
export async function peekRecord(place: OutboxPlace): Promise<OutboxRecord | null> {
  const object = await getOrDamaged(place.stateStore, toRecordKey(place));
  return object !== null && isUndamaged(object) ? parseRecord(place, object.body) : null;
}

async function parseRecord(place: OutboxPlace, body: Uint8Array): Promise<OutboxRecord | null> {
  const value = await toJson(body);
  const newer = z.looseObject({ format: z.int().min(FORMAT + 1) }).safeParse(value);
  if (newer.success)
    throw new Error(`${toRecordKey(place)} has the format ${newer.data.format}, this version knows ${FORMAT}`);
  const { data: record } = recordSchema.safeParse(value);
  return record?.network === place.network && record.target === place.target ? record : null;
}

/** @throws {StoreError} */
export async function writeRecord(place: OutboxPlace, record: OutboxRecord): Promise<void> {
  const body = await compress(new TextEncoder().encode(JSON.stringify(record)));
  await place.stateStore.put(toRecordKey(place), body, { expect: "any", contentType: "application/zstd" });
}

/** Undefined: it is no JSON. */
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
