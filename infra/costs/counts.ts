import { readFileSync } from "node:fs";
import { z } from "zod";
import { NETWORKS } from "../../generator/contract/networks.ts";

const countSchema = z.number().min(0);

/** What a day asks of the stores of one network, and what lies in them after years. */
const storeDaySchema = z.strictObject({
  validators: countSchema,
  /** PUTs, and pages of 1,000 keys listed. */
  writes: countSchema,
  /** GETs and HEADs. */
  reads: countSchema,
  /** Of the bodies that the generator reads while it runs on. */
  readBytes: countSchema,
  /** What one more process reads before it can go on: the checkpoint, and an hour of entries. */
  coldStartBytes: countSchema,
  /** Entries that are deleted once they are packed: a versioned bucket keeps them as older versions. */
  looseBytes: countSchema,
  /** Checkpoints, manifests and leases put, which are overwritten or deleted: the same. */
  derivedBytes: countSchema,
  publicBytes: countSchema,
  /** Of a year. */
  stateBytes: countSchema,
});

const countsSchema = z.strictObject({
  measuredOn: z.iso.date(),
  /** Of mainnet. */
  day: z.strictObject({
    observations: countSchema,
    events: countSchema,
    kinds: z.array(z.strictObject({ kind: z.string(), puts: countSchema, bytes: countSchema })),
  }),
  networks: z.record(z.enum(NETWORKS), storeDaySchema),
  /** What the endpoints answer after years, on average. */
  answers: z.array(z.strictObject({ kind: z.string(), bytes: countSchema, gzipBytes: countSchema })),
});

export type Counts = z.infer<typeof countsSchema>;
export type StoreDay = z.infer<typeof storeDaySchema>;

export const COUNTS_FILE = new URL("counts.json", import.meta.url);

/**
 * The counts that were measured last, by `node test/bench/write-counts.ts`.
 *
 * @throws {Error} when the file is not what that wrote
 */
export function readCounts(): Counts {
  return countsSchema.parse(JSON.parse(readFileSync(COUNTS_FILE, "utf8")));
}
