import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { networkSchema, type Network } from "../contract/networks.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { hashOf, MISSING, type UnreadableEntry } from "./entries.ts";
import { numberOf, toSeriesPrefix, type JournalPlace } from "./names.ts";
import { deserialize, serialize } from "./serialization.ts";

/** The newest entry that a ledger folded. */
interface LedgerPosition {
  readonly name: string;
  readonly hash: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
}

interface Checkpointable {
  readonly network: Network;
  readonly position: LedgerPosition | null;
}

const CHECKPOINT_FORMAT = 2;
const KEY_PATTERN = /^(\d{10})-([0-9a-f]{32})(?:-[0-9a-f]{8})?\.ckpt\.zst$/;
const LACKING_DIGITS = 8;

/** 3,000 validators with 1,000 epochs are about 70 MB. */
const LEDGER_BYTES_MAX = 1024 * 1024 * 1024;

/** Checks only the head of a checkpoint; the compression's checksum covers the rest. */
const keptSchema = z.object({
  format: z.literal(CHECKPOINT_FORMAT),
  foldVersion: z.int(),
  leftOut: z.array(
    z.object({
      name: z.string(),
      unreadable: z.string(),
      isOfNewer: z.literal(true).exactOptional(),
    }),
  ),
  ledger: z.object({ network: networkSchema, position: z.object({ name: z.string() }) }),
});

/**
 * `checkpoints`: where runs begin. `rebuild`: a rebuild's progress; a rebuild trusts no other
 * folder.
 */
type CheckpointFolder = "checkpoints" | "rebuild";

/** What the key of a checkpoint tells about it. */
export interface CheckpointHead {
  key: string;
  /** The last entry folded. */
  name: string;
  /** `digestOfPosition` (rulings.ts). */
  digest: string;
}

interface Keepable {
  ledger: Checkpointable;
  foldVersion: number;
  digest: string;
  /** Entries before its position that could not be read and are not in it. */
  leftOut?: readonly UnreadableEntry[];
  folder?: CheckpointFolder;
}

/**
 * Saves a checkpoint, deletes spare ones and returns the key. A lost checkpoint only costs time.
 * @throws {Error} when the ledger has folded nothing
 */
export async function saveCheckpoint(place: JournalPlace, keepable: Keepable): Promise<string> {
  const { ledger, foldVersion, digest, leftOut = [], folder = "checkpoints" } = keepable;
  if (ledger.position === null)
    throw new Error("a ledger that has folded nothing cannot be a checkpoint");
  // A checkpoint that lacks an entry must not replace one that has it.
  const lacked = new TextEncoder().encode(leftOut.map(({ name }) => name).join("\n"));
  const lacking = leftOut.length === 0 ? "" : `-${hashOf(lacked).slice(0, LACKING_DIGITS)}`;
  const key = `${toVersionPrefix(place, { foldVersion, folder })}${ledger.position.name}-${digest}${lacking}.ckpt.zst`;
  const body = serialize({ format: CHECKPOINT_FORMAT, foldVersion, leftOut, ledger });
  await place.store.put(key, body, { expect: "absent", contentType: "application/zstd" });
  for (const spare of findSpare(await listCheckpoints(place, { foldVersion, folder })))
    await place.store.delete(spare.key);
  return key;
}

/** Checkpoints of a fold version, newest first. */
export async function listCheckpoints(
  place: JournalPlace,
  { foldVersion, folder = "checkpoints" }: { foldVersion: number; folder?: CheckpointFolder },
): Promise<CheckpointHead[]> {
  const heads: CheckpointHead[] = [];
  const prefix = toVersionPrefix(place, { foldVersion, folder });
  for await (const { key } of place.store.list(prefix)) {
    const [, name, digest] = KEY_PATTERN.exec(key.slice(prefix.length)) ?? [];
    if (name !== undefined && digest !== undefined) heads.push({ key, name, digest });
  }
  return heads.reverse();
}

/**
 * Loads a checkpoint, or says why it cannot be read. `leftOut`: entries before its position that it
 * lacks.
 * @throws {StoreError} when the store fails
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it keeps under a fold version
export async function loadCheckpoint<Ledger extends Checkpointable>(
  place: JournalPlace,
  { head, foldVersion }: { head: CheckpointHead; foldVersion: number },
): Promise<{ ledger: Ledger; leftOut: UnreadableEntry[] } | { unreadable: string }> {
  const object = await getOrDamaged(place.store, head.key);
  if (object === null) return { unreadable: MISSING };
  if ("damaged" in object) return { unreadable: object.damaged };
  try {
    const value = deserialize(object.body, { bytesMax: LEDGER_BYTES_MAX });
    const kept = keptSchema.parse(value);
    const isOfHere = kept.ledger.network === place.network && kept.foldVersion === foldVersion;
    if (!isOfHere || kept.ledger.position.name !== head.name)
      return { unreadable: "its content does not match its key" };
    return { ledger: (value as { ledger: Ledger }).ledger, leftOut: kept.leftOut };
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/**
 * Checkpoints to delete. The newest is kept and, of those one to two, two to four, four to eight …
 * entries before it, the oldest: some twenty, each at most four times as far back as the one
 * before. After a ruling on the past, those after its subject are of no use, so older ones are
 * needed.
 * @param heads of one fold version, newest first
 */
export function findSpare<Head extends { name: string }>(heads: readonly Head[]): Head[] {
  const [newest] = heads;
  if (newest === undefined) return [];
  const backOf = ({ name }: Head) => numberOf(newest.name) - numberOf(name);
  const bySpan = Map.groupBy(heads, (head) => Math.floor(Math.log2(backOf(head))));
  const kept = new Set([...bySpan.values()].map((span) => span.at(-1)));
  // Checkpoints at the newest entry differ in their rulings, so all of them are kept.
  return heads.filter((head) => backOf(head) > 0 && !kept.has(head));
}

function toVersionPrefix(
  place: JournalPlace,
  { foldVersion, folder }: { foldVersion: number; folder: CheckpointFolder },
): string {
  return `${toSeriesPrefix(place, folder)}f${foldVersion}/`;
}
