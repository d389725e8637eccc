import { z } from "zod";
import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";

/** Generators that know no references refuse this format as a newer one. */
export const REFERRING_FORMAT = 2;

/** Of an entry that is stored as its difference from another. */
export const referring = {
  format: z.literal(REFERRING_FORMAT),
  /** The number of an entry of its kind before this one that is stored whole, in ten digits. */
  base: z.string(),
};

/** An entry that is stored whole. */
export interface Reference<Observation = CheckEntry | SnapshotEntry> {
  name: string;
  entry: Observation;
}

/** Whether a reference is older than an entry, and by less than this. */
export function isOfLast(
  milliseconds: number,
  reference: { time: string },
  entry: { time: string },
): boolean {
  const age = Date.parse(entry.time) - Date.parse(reference.time);
  return age > 0 && age < milliseconds;
}
