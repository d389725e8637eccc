import { z } from "zod";
import type { CheckEntry, SnapshotEntry } from "../entries/entry.ts";

/** Generators that cannot resolve references refuse this format as a newer one. */
export const REFERRING_FORMAT = 2;

/** Fields of an entry that is stored as its difference from another. */
export const referring = {
  format: z.literal(REFERRING_FORMAT),
  /** Number, in ten digits, of an earlier entry of its kind that is stored whole. */
  base: z.string(),
};

/** An entry that is stored whole. */
export interface Reference<Observation = CheckEntry | SnapshotEntry> {
  name: string;
  entry: Observation;
}

/** Limits how much is lost with a reference. */
const SERVES_MILLISECONDS = 60 * 60_000;

/** Whether an entry may refer to another: that one is older, by less than an hour. */
export function mayRefer(entry: { time: string }, reference: { time: string }): boolean {
  const age = Date.parse(entry.time) - Date.parse(reference.time);
  return age > 0 && age < SERVES_MILLISECONDS;
}
