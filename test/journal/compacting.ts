import type { Compaction } from "../../generator/journal/compaction.ts";
import { openJournal } from "../../generator/journal/journal.ts";
import type { JournalPlace } from "../../generator/journal/names.ts";
import { DAY_END, HOUR } from "./packed.ts";

export const SETTLED = DAY_END + 3 * HOUR;

export const compact = (at: JournalPlace, now: number) => openJournal(at).compact({ now });

async function keysOf({ store }: JournalPlace): Promise<string[]> {
  return (await Array.fromAsync(store.list("journal/"))).map(({ key }) => key);
}

export const packsOf = async (at: JournalPlace) => (await keysOf(at)).filter((key) => key.includes("/pack-"));
export const looseOf = async (at: JournalPlace) => (await keysOf(at)).filter((key) => !key.includes("/pack-"));

export const did = ({ packed, deleted }: Compaction) => [packed?.entries ?? 0, deleted?.entries ?? 0];

/** Compacts until nothing is due, at once and two days later. */
export async function compactAll(at: JournalPlace, now: number): Promise<void> {
  for (const time of [now, now + 48 * HOUR]) {
    for (;;) if (did(await compact(at, time)).every((count) => count === 0)) break;
  }
}
