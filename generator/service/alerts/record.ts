import { z } from "zod";
import type { CommissionEvent } from "../../contract/event.ts";
import { networkSchema, type Network } from "../../contract/networks.ts";
import { countSchema, timeSchema } from "../../contract/values.ts";
import { getOrDamaged, isUndamaged, setAside } from "../../store/damaged.ts";
import type { ObjectStore } from "../../store/store.ts";
import { compress, decompress } from "../../store/zstd.ts";

const FORMAT = 1;
const JSON_BYTES_MAX = 64 * 1024 * 1024;

/** An event as feeds show it. */
export type AlertEvent = CommissionEvent & { createdAt: string };

/** Events as published then: later versions may have more fields. */
const storedEventSchema = z.custom<AlertEvent>(
  (value) =>
    z.object({ id: z.string(), votePubkey: z.string(), severity: z.string() }).safeParse(value)
      .success,
);

/** A commission changed, or an event that was delivered no longer stands. */
const MESSAGE_TYPES = ["commission.changed", "commission.withdrawn"] as const;

const messageSchema = z.object({
  /** The receiver recognises duplicates by it. */
  id: z.string(),
  type: z.enum(MESSAGE_TYPES),
  event: storedEventSchema,
  queuedAt: timeSchema,
  /** Of the event. */
  series: z.int().min(1),
});

const sentEventSchema = z.object({
  event: storedEventSchema,
  /** How often it was sent: again after each withdrawal. */
  rounds: countSchema,
  isWithdrawn: z.boolean(),
});

const undeliveredSchema = z.object({ id: z.string(), reason: z.string(), at: timeSchema });

const recordSchema = z.object({
  format: z.literal(FORMAT),
  network: networkSchema,
  target: z.string(),
  /** Digest of url, shape and secret. A changed address starts without failures. */
  addressDigest: z.string(),
  series: z.int().min(1),
  /** Only what is published from here on is sent. */
  since: timeSchema,
  /** Edition of the change log; if it differs, all events are compared. */
  edition: z.string(),
  /** Number and time of the last change that was compared; null: none was. */
  seq: countSchema,
  through: timeSchema.nullable(),
  /** The target's filter at that time. */
  wanted: z.string(),
  /** Events that left the queue, oldest first: they can be withdrawn. */
  sent: z.array(sentEventSchema),
  /** The first may have arrived already. */
  queue: z.array(messageSchema),
  /** Failed attempts in a row. */
  failures: countSchema,
  /** The last failure, and when the failures in a row began. */
  failure: z.object({ reason: z.string(), since: timeSchema }).nullable(),
  /** null: at once. */
  retryAt: timeSchema.nullable(),
  /** Messages of the last week that were given up, oldest first: for `doctor`. */
  undelivered: z.array(undeliveredSchema),
});

/** A message as it is queued and stored, before a shape turns it into a request. */
export type AlertMessage = z.infer<typeof messageSchema>;

/** An event that left the queue and can still be withdrawn. */
export type SentEvent = z.infer<typeof sentEventSchema>;

/**
 * The events of a network that a target was sent, and the messages that it still has to be sent.
 */
export type OutboxRecord = z.infer<typeof recordSchema>;

/** Where an outbox is stored. `target`: the name from the settings. */
export interface OutboxPlace {
  stateStore: ObjectStore;
  network: Network;
  target: string;
}

/** The record of a target that was sent nothing yet. */
export function createRecord(
  { network, target }: OutboxPlace,
  since: Pick<OutboxRecord, "addressDigest" | "wanted" | "series" | "since">,
): OutboxRecord {
  const noFailure = { failures: 0, failure: null, retryAt: null };
  const nothing = { edition: "", seq: 0, through: null, sent: [], queue: [], undelivered: [] };
  return { format: FORMAT, network, target, ...since, ...nothing, ...noFailure };
}

/**
 * Reads the record; null: there is none. A damaged one is moved to quarantine.
 * @throws {StoreError}
 * @throws {Error} when a newer version wrote it
 */
export async function readRecord(place: OutboxPlace): Promise<OutboxRecord | "damaged" | null> {
  const object = await getOrDamaged(place.stateStore, toRecordKey(place));
  if (object === null) return null;
  if (!isUndamaged(object)) return "damaged";
  const record = parseRecord(place, object.body);
  if (record === null) await setAside(place.stateStore, object);
  return record ?? "damaged";
}

/**
 * Reads the record and changes nothing; null: there is none, or none that can be read.
 * @throws {StoreError}
 * @throws {Error} when a newer version wrote it
 */
export async function peekRecord(place: OutboxPlace): Promise<OutboxRecord | null> {
  const object = await getOrDamaged(place.stateStore, toRecordKey(place));
  return object !== null && isUndamaged(object) ? parseRecord(place, object.body) : null;
}

function parseRecord(place: OutboxPlace, body: Uint8Array): OutboxRecord | null {
  const value = toJson(body);
  const newer = z.looseObject({ format: z.int().min(FORMAT + 1) }).safeParse(value);
  if (newer.success)
    throw new Error(
      `${toRecordKey(place)} has the format ${newer.data.format}, this version knows ${FORMAT}`,
    );
  const { data: record } = recordSchema.safeParse(value);
  return record?.network === place.network && record.target === place.target ? record : null;
}

/** @throws {StoreError} */
export async function writeRecord(place: OutboxPlace, record: OutboxRecord): Promise<void> {
  const body = compress(new TextEncoder().encode(JSON.stringify(record)));
  await place.stateStore.put(toRecordKey(place), body, {
    expect: "any",
    contentType: "application/zstd",
  });
}

/** Undefined: it is no JSON. */
function toJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(decompress(body, { bytesMax: JSON_BYTES_MAX }).toString("utf8"));
  } catch {
    return undefined;
  }
}

function toRecordKey({ network, target }: OutboxPlace): string {
  return `alerts/${network}/${target}.json.zst`;
}
