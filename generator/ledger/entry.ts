import { z } from "zod";
import { networkSchema } from "../contract/networks.ts";
import { countSchema, pubkeySchema, timeSchema } from "../contract/values.ts";

/**
 * The shape of what can be folded: one entry of the journal. It keeps what the source said (uncapped basis points and
 * percent, raw but length-bounded text), so that a rule can change later and be replayed over all history.
 *
 * Amounts are bigint in memory and decimal strings in the journal (`entryToJson` in journal/ writes them).
 */
export const ENTRY_FORMAT = 1;

/** Longest raw text kept of any field of the outside world, in UTF-16 code units. */
export const RAW_TEXT_MAX = 512;

const rawText = z.string().max(RAW_TEXT_MAX);
const lamports = z.union([
  z.bigint().min(0n),
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt),
]);
const basisPoints = z.int().min(0).max(65_535);
const percent = z.int().min(0).max(255);

/** A side source: what it said, why it could not be read, or that it was not asked this time (not due, or not configured). */
function section<Value extends z.ZodType>(value: Value) {
  return z.discriminatedUnion("state", [
    z.object({ state: z.literal("ok"), value }),
    z.object({ state: z.literal("failed"), reason: rawText }),
    z.object({ state: z.literal("skipped"), off: z.boolean() }),
  ]);
}

const header = {
  format: z.literal(ENTRY_FORMAT),
  network: networkSchema,
  /** When the reading began, from the generator's clock. */
  time: timeSchema,
};

const reading = {
  ...header,
  /** The endpoint that answered, as `ORIGIN#POSITION` in the list: a path or query may hold a secret. */
  endpoint: rawText,
  /** Largest lastVote of the answer itself: the only slot it carries. */
  slot: countSchema,
  epoch: countSchema,
  slotIndex: countSchema,
  slotsInEpoch: z.int().min(1),
  /** Slot of the epoch reading, for measuring slot time. */
  absoluteSlot: countSchema,
};

const checkRow = z.object({
  vote: pubkeySchema,
  /** As the source said it; null: the answer had no such field. May exceed 10000. */
  basisPoints: basisPoints.nullable(),
  /** As the source said it: some nodes round down, some up. May exceed 100. */
  percent: percent.nullable(),
  delinquent: z.boolean(),
  activeStake: lamports,
});

/** `[epoch, credits, previousCredits]`; cumulative counters, oldest first, separators of Alpenglow left out. */
const creditsRow = z.tuple([countSchema, lamports, lamports]);

const snapshotRow = checkRow.extend({
  identity: pubkeySchema,
  inValidatorSet: z.boolean(),
  credits: z.array(creditsRow).max(64),
});

const nodeRow = z.object({
  identity: pubkeySchema,
  version: rawText.nullable(),
  /** Normalised to the number of the registry, also numbers the registry does not know; null: absent or unreadable. */
  clientId: z.int().min(0).max(65_535).nullable(),
  ip: rawText.nullable(),
});

const infoRow = z.object({
  identity: pubkeySchema,
  /** The config account it was read from: the lowest of an identity's accounts counts. */
  account: pubkeySchema,
  name: rawText.nullable(),
  website: rawText.nullable(),
  iconUrl: rawText.nullable(),
});

const mevRow = z.object({
  vote: pubkeySchema,
  mevBasisPoints: basisPoints.nullable(),
  priorityFeeBasisPoints: basisPoints.nullable(),
  runningBam: z.boolean().nullable(),
});

const locationRow = z.object({
  identity: pubkeySchema,
  country: rawText.nullable(),
  countryCode: rawText.nullable(),
  city: rawText.nullable(),
  asn: countSchema.nullable(),
  asnOrganization: rawText.nullable(),
});

/** Each minute; lean. */
export const checkEntrySchema = z.object({ kind: z.literal("check"), ...reading, votes: z.array(checkRow) });

/** Every 10 minutes; everything. Is a check too. */
export const snapshotEntrySchema = z.object({
  kind: z.literal("snapshot"),
  ...reading,
  votes: z.array(snapshotRow),
  /** Vote accounts of the ledger's list that the answer lacked, asked for by key, and not there. */
  absent: z.array(pubkeySchema),
  /** What one unit of `credits` is (Alpenglow counts lamports). */
  creditsUnit: z.enum(["credits", "lamports"]),
  nodes: section(z.array(nodeRow)),
  info: section(z.array(infoRow)),
  /** Of the running epoch: `[identity, leaderSlots, blocksProduced]`. */
  production: section(z.object({ rows: z.array(z.tuple([pubkeySchema, countSchema, countSchema])) })),
  /** `[vote, activating, deactivating, stakeAccountCount]`, as of `asOf` in `epoch`. */
  stakeAccounts: section(
    z.object({
      epoch: countSchema,
      asOf: timeSchema,
      rows: z.array(z.tuple([pubkeySchema, lamports, lamports, countSchema])),
    }),
  ),
  /** The vendor's latest list; a row may be of this epoch or of the one before. */
  mev: section(z.object({ rows: z.array(mevRow) })),
  /** The vendor's list of the closed epoch named: decides who had MEV disabled in it. */
  closedMev: section(z.object({ epoch: countSchema, rows: z.array(mevRow) })),
  locations: section(z.array(locationRow)),
});

/** Second reading of named vote accounts, from the accounts themselves. */
export const confirmEntrySchema = z.object({
  kind: z.literal("confirm"),
  ...header,
  endpoint: rawText,
  /** Slot of the answer's context. */
  slot: countSchema,
  epoch: countSchema,
  accounts: z.array(
    z.object({
      vote: pubkeySchema,
      /** false: no such account, or not owned by the vote program; both rates are null then. */
      exists: z.boolean(),
      basisPoints: basisPoints.nullable(),
      percent: percent.nullable(),
    }),
  ),
  /** Tip-distribution accounts of `epoch`. */
  tips: z.array(
    z.object({ vote: pubkeySchema, epoch: countSchema, exists: z.boolean(), mevBasisPoints: basisPoints.nullable() }),
  ),
});

/**
 * An operator's word. `time` is one millisecond before the observation it is about (or before the first observation of the
 * event), so that it folds ahead of its subject; `ruledAt` is when it was said.
 */
export const rulingEntrySchema = z.object({
  kind: z.literal("ruling"),
  ...header,
  ruledAt: timeSchema,
  subject: z.discriminatedUnion("of", [
    z.object({ of: z.literal("observation"), key: rawText }),
    z.object({ of: z.literal("event"), id: rawText }),
  ]),
  verdict: z.enum(["accept", "ignore"]),
  reason: rawText,
});

export const entrySchema = z.discriminatedUnion("kind", [
  checkEntrySchema,
  snapshotEntrySchema,
  confirmEntrySchema,
  rulingEntrySchema,
]);

export type Entry = z.infer<typeof entrySchema>;
export type CheckEntry = z.infer<typeof checkEntrySchema>;
export type SnapshotEntry = z.infer<typeof snapshotEntrySchema>;
export type ConfirmEntry = z.infer<typeof confirmEntrySchema>;
export type RulingEntry = z.infer<typeof rulingEntrySchema>;
export type EntryKind = Entry["kind"];
export type CheckRow = CheckEntry["votes"][number];
export type SnapshotRow = SnapshotEntry["votes"][number];

/** An entry under the name it has in the journal, `DAY/TIME-KIND-HASH`; names sort by time, then kind, then content. */
export interface NamedEntry {
  name: string;
  entry: Entry;
}
