import { z } from "zod";
import { messageOf } from "../contract/error-message.ts";
import { networkSchema, type Network } from "../contract/networks.ts";
import { getOrDamaged } from "../store/damaged.ts";
import { MISSING, type UnreadableEntry } from "./entries.ts";
import { dayOf, digestOfNames, shiftDay, timeOf, toMoment, toSeriesPrefix, type JournalPlace } from "./names.ts";
import { deserialize, serialize } from "./serialization.ts";

export interface Checkpointable {
  readonly network: Network;
  readonly position: { readonly name: string; readonly time: string } | null;
}

const CHECKPOINT_FORMAT = 1;
const KEY_PATTERN = /^(\d{4})(\d\d)(\d\d)T(\d{9})Z-([0-9a-f]{32})(?:-[0-9a-f]{8})?\.ckpt\.zst$/;
const LEFT_OUT_DIGITS = 8;

/** Every checkpoint of these stays: runs start from them. */
const DAYS_OF_ALL = 3;
/** One a day stays before those: a late entry or a ruling makes the younger ones unfit. */
const DAYS_OF_DAILY = 31;

/** 3,000 validators with 1,000 epochs are about 70 MB. */
const LEDGER_BYTES_MAX = 1024 * 1024 * 1024;

/** The compression's checksum covers the rest. */
const keptSchema = z.object({
  format: z.literal(CHECKPOINT_FORMAT),
  foldVersion: z.int(),
  leftOut: z.array(
    z.object({
      name: z.string(),
      unreadable: z.string(),
      isOfNewer: z.literal(true).exactOptional(),
      pack: z.string().exactOptional(),
    }),
  ),
  ledger: z.object({ network: networkSchema, position: z.object({ name: z.string(), time: z.string() }) }),
});

/**
 * `checkpoints`: where runs begin; the digest is of the window that ends with the position. `rebuild`: the progress
 * of a rebuild, which trusts no other; the digest is of all names up to there.
 */
type CheckpointFolder = "checkpoints" | "rebuild";

const SPARE_OF = { checkpoints: findSpare, rebuild: findSpareProgress } as const satisfies Record<
  CheckpointFolder,
  (heads: readonly CheckpointHead[]) => CheckpointHead[]
>;

export interface CheckpointHead {
  key: string;
  /** As names begin: `2026-11-20/153000000`. */
  moment: string;
  digest: string;
}

export interface Keepable {
  ledger: Checkpointable;
  foldVersion: number;
  /** See {@link CheckpointFolder}. */
  digest: string;
  /** A pack is named by its key. */
  leftOut?: readonly UnreadableEntry[];
  folder?: CheckpointFolder;
}

/**
 * Also deletes spare ones: losing a checkpoint only costs time. Returns the key.
 * @throws {Error} for a ledger that has folded nothing
 */
export async function saveCheckpoint(place: JournalPlace, keepable: Keepable): Promise<string> {
  const { ledger, foldVersion, digest, leftOut = [], folder = "checkpoints" } = keepable;
  if (ledger.position === null) throw new Error("a ledger that has folded nothing cannot be a checkpoint");
  const timestamp = ledger.position.time.replaceAll(/[-:.]/g, "");
  // A checkpoint that lacks an entry must not replace one that has it.
  const lacking =
    leftOut.length === 0 ? "" : `-${digestOfNames(leftOut.map(({ name }) => name)).slice(0, LEFT_OUT_DIGITS)}`;
  const prefix = toVersionPrefix(place, { foldVersion, folder });
  const key = `${prefix}${timestamp}-${digest}${lacking}.ckpt.zst`;
  const body = await serialize({ format: CHECKPOINT_FORMAT, foldVersion, leftOut, ledger });
  await place.store.put(key, body, { expect: "absent", contentType: "application/zstd" });
  for (const spare of SPARE_OF[folder](await listCheckpoints(place, { foldVersion, fromDay: null, folder })))
    await place.store.delete(spare.key);
  return key;
}

/** Newest first. */
export async function listCheckpoints(
  place: JournalPlace,
  {
    foldVersion,
    fromDay,
    folder = "checkpoints",
  }: { foldVersion: number; fromDay: string | null; folder?: CheckpointFolder },
): Promise<CheckpointHead[]> {
  const heads: CheckpointHead[] = [];
  const prefix = toVersionPrefix(place, { foldVersion, folder });
  const startAfter = fromDay === null ? "" : prefix + fromDay.replaceAll("-", "");
  for await (const { key } of place.store.list(prefix, { startAfter })) {
    const [, year, month, day, time, digest] = KEY_PATTERN.exec(key.slice(prefix.length)) ?? [];
    if (digest !== undefined) heads.push({ key, digest, moment: `${year}-${month}-${day}/${time}` });
  }
  return heads.reverse();
}

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller knows what it keeps under a fold version
export async function loadCheckpoint<Ledger extends Checkpointable>(
  place: JournalPlace,
  { head, foldVersion }: { head: CheckpointHead; foldVersion: number },
): Promise<{ ledger: Ledger; leftOut: UnreadableEntry[] } | { unreadable: string }> {
  const object = await getOrDamaged(place.store, head.key);
  if (object === null) return { unreadable: MISSING };
  if ("damaged" in object) return { unreadable: object.damaged };
  try {
    const value = await deserialize(object.body, { bytesMax: LEDGER_BYTES_MAX });
    const kept = keptSchema.parse(value);
    const isOfHere = kept.ledger.network === place.network && kept.foldVersion === foldVersion;
    const isOfThen = toMoment(kept.ledger.position.time) === head.moment;
    if (!isOfHere || !isOfThen) return { unreadable: "its content does not match its key" };
    return { ledger: (value as { ledger: Ledger }).ledger, leftOut: kept.leftOut };
  } catch (error) {
    return { unreadable: messageOf(error) };
  }
}

/**
 * All but the first checkpoint of each day, and before the last month of each month.
 * @param heads of one fold version, newest first
 */
export function findSpare<Head extends { moment: string }>(heads: readonly Head[]): Head[] {
  const [newest] = heads;
  if (newest === undefined) return [];
  const allSince = shiftDay(dayOf(newest.moment), 1 - DAYS_OF_ALL);
  const firsts = new Set<string>();
  return heads.toReversed().filter(({ moment }) => {
    const span = spanOf(moment, newest.moment);
    if (dayOf(moment) >= allSince || !firsts.has(span)) {
      firsts.add(span);
      return false;
    }
    return true;
  });
}

export function spanOf(moment: string, newest: string): string {
  const dailySince = shiftDay(dayOf(newest), 1 - DAYS_OF_DAILY);
  const day = dayOf(moment);
  return day >= dailySince ? day : day.slice(0, "YYYY-MM".length);
}

/**
 * The newest stays, and older ones each at least twice as far back, about ten a year: most late entries are recent.
 * @param heads newest first
 */
function findSpareProgress<Head extends { moment: string }>(heads: readonly Head[]): Head[] {
  const [newest] = heads;
  if (newest === undefined) return [];
  const end = timeOf(newest.moment);
  let keptBack = 0;
  return heads.slice(1).filter(({ moment }) => {
    const back = end - timeOf(moment);
    if (back < 2 * keptBack) return true;
    keptBack = back;
    return false;
  });
}

function toVersionPrefix(
  place: JournalPlace,
  { foldVersion, folder }: { foldVersion: number; folder: CheckpointFolder },
): string {
  return `${toSeriesPrefix(place, folder)}f${foldVersion}/`;
}
