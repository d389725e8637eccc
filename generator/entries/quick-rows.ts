import { z } from "zod";
import { PUBKEY_PATTERN } from "../contract/values.ts";
import {
  type accountRow,
  BASIS_POINTS_MAX,
  type checkRow,
  CREDITS_MAX,
  type creditsChange,
  type creditsRow,
  type infoRow,
  type listedRow,
  type locationRow,
  type mevRow,
  type nodeRow,
  PERCENT_MAX,
  type productionRow,
  RAW_TEXT_MAX,
  type snapshotRow,
  type stakeAccountsRow,
  type tip,
  type tipShare,
} from "./rows.ts";

/*
 * A rebuild reads half a billion rows for a year of entries, and zod took half of its time. So rows
 * are first read by hand; whatever that reading is not sure of goes to zod, which decides.
 */

type AccountRow = z.output<typeof accountRow>;
type CheckRow = z.output<typeof checkRow>;
type CreditsChange = z.output<typeof creditsChange>;
type CreditsRow = z.output<typeof creditsRow>;
type InfoRow = z.output<typeof infoRow>;
type ListedRow = z.output<typeof listedRow>;
type LocationRow = z.output<typeof locationRow>;
type MevRow = z.output<typeof mevRow>;
type NodeRow = z.output<typeof nodeRow>;
type ProductionRow = z.output<typeof productionRow>;
type SnapshotRow = z.output<typeof snapshotRow>;
type StakeAccountsRow = z.output<typeof stakeAccountsRow>;
type Tip = z.output<typeof tip>;
type TipShare = z.output<typeof tipShare>;

const LAMPORTS = /^\d{1,20}$/;

/**
 * Bounds the cache of keys. A large cluster has a third as many: votes, identities, authorities and
 * accounts of names.
 */
const KEYS_MAX = 32_768;

/**
 * Makes a schema of an array of rows. `read` returns a row only if `row` would parse it to the
 * same; if it returns undefined for any row, zod parses the whole array.
 * @param read returns undefined when it is not sure that the value is a row
 */
export function quickRows<Row extends z.ZodType>(
  row: Row,
  read: (value: unknown) => z.output<Row> | undefined,
) {
  const rows = z.array(row);
  return z.unknown().transform((value, context): z.output<Row>[] => {
    const quick = readAll(value, read);
    if (quick !== undefined) return quick;
    const parsed = rows.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message, path } of parsed.error.issues)
      context.addIssue({ code: "custom", message, path: [...path] });
    return z.NEVER;
  });
}

/** Reads what `checkRow` describes; undefined: not sure, ask zod. */
export function readCheckRow(value: unknown): CheckRow | undefined {
  if (!isObject(value)) return undefined;
  const { basisPoints, percent, delinquent } = value;
  const vote = toPubkey(value["vote"]);
  const activeStake = toLamports(value["activeStake"]);
  if (vote === undefined || typeof delinquent !== "boolean" || activeStake === undefined)
    return undefined;
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return undefined;
  return { vote, basisPoints, percent, delinquent, activeStake };
}

/** Reads what `listedRow` describes; undefined: not sure, ask zod. */
export function readListedRow(value: unknown): ListedRow | undefined {
  const lean = readCheckRow(value);
  if (lean === undefined) return undefined;
  const { identity: key, inValidatorSet } = value as Record<string, unknown>;
  const identity = toPubkey(key);
  if (identity === undefined || typeof inValidatorSet !== "boolean") return undefined;
  return Object.assign(lean, { identity, inValidatorSet });
}

/** Reads what `snapshotRow` describes; undefined: not sure, ask zod. */
export function readSnapshotRow(value: unknown): SnapshotRow | undefined {
  const listed = readListedRow(value);
  if (listed === undefined) return undefined;
  const credits = readCredits((value as Record<string, unknown>)["credits"]);
  return credits === undefined ? undefined : Object.assign(listed, { credits });
}

/** Reads what `creditsChange` describes, null included; undefined: not sure, ask zod. */
export function readCreditsChange(value: unknown): CreditsChange | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [kept, rows] = value as unknown[];
  const credits = readCredits(rows);
  return isCount(kept) && credits !== undefined ? [kept, credits] : undefined;
}

/** Reads what `nodeRow` describes; undefined: not sure, ask zod. */
export function readNodeRow(value: unknown): NodeRow | undefined {
  if (!isObject(value)) return undefined;
  const { version, clientId, ip } = value;
  const identity = toPubkey(value["identity"]);
  if (identity === undefined || !isText(version) || !isText(ip)) return undefined;
  return isText(clientId) || Number.isFinite(clientId)
    ? { identity, version, clientId: clientId as NodeRow["clientId"], ip }
    : undefined;
}

/** Reads what `infoRow` describes; undefined: not sure, ask zod. */
export function readInfoRow(value: unknown): InfoRow | undefined {
  if (!isObject(value)) return undefined;
  const { name, website, iconUrl } = value;
  const identity = toPubkey(value["identity"]);
  const account = toPubkey(value["account"]);
  if (identity === undefined || account === undefined) return undefined;
  if (!isText(name) || !isText(website) || !isText(iconUrl)) return undefined;
  return { identity, account, name, website, iconUrl };
}

/** Reads what `mevRow` describes; undefined: not sure, ask zod. */
export function readMevRow(value: unknown): MevRow | undefined {
  if (!isObject(value)) return undefined;
  const { mevBasisPoints, priorityFeeBasisPoints, runningBam } = value;
  const vote = toPubkey(value["vote"]);
  if (vote === undefined || (runningBam !== null && typeof runningBam !== "boolean"))
    return undefined;
  if (
    !isAtMost(mevBasisPoints, BASIS_POINTS_MAX) ||
    !isAtMost(priorityFeeBasisPoints, BASIS_POINTS_MAX)
  )
    return undefined;
  return { vote, mevBasisPoints, priorityFeeBasisPoints, runningBam };
}

/** Reads what `locationRow` describes; undefined: not sure, ask zod. */
export function readLocationRow(value: unknown): LocationRow | undefined {
  if (!isObject(value)) return undefined;
  const { country, countryCode, city, asn, asnOrganization } = value;
  const identity = toPubkey(value["identity"]);
  if (identity === undefined || !isText(country) || !isText(countryCode) || !isText(city))
    return undefined;
  if ((asn !== null && !isCount(asn)) || !isText(asnOrganization)) return undefined;
  return { identity, country, countryCode, city, asn, asnOrganization };
}

/** Reads what `accountRow` describes, null included; undefined: not sure, ask zod. */
export function readAccountRow(value: unknown): AccountRow | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [basisPoints, percent, key, blockRevenue] = value as unknown[];
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return undefined;
  if (!isAtMost(blockRevenue, BASIS_POINTS_MAX)) return undefined;
  const authority = key === null ? null : toPubkey(key);
  return authority === undefined ? undefined : [basisPoints, percent, authority, blockRevenue];
}

/** Reads what `productionRow` describes; undefined: not sure, ask zod. */
export function readProductionRow(value: unknown): ProductionRow | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [key, slots, blocks] = value as unknown[];
  const identity = toPubkey(key);
  return identity !== undefined && isCount(slots) && isCount(blocks)
    ? [identity, slots, blocks]
    : undefined;
}

/** Reads what `stakeAccountsRow` describes; undefined: not sure, ask zod. */
export function readStakeAccountsRow(value: unknown): StakeAccountsRow | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [key, activating, deactivating, count] = value as unknown[];
  const [vote, more, less] = [toPubkey(key), toLamports(activating), toLamports(deactivating)];
  if (vote === undefined || more === undefined || less === undefined || !isCount(count))
    return undefined;
  return [vote, more, less, count];
}

/** Reads what `tip` describes; undefined: not sure, ask zod. */
export function readTip(value: unknown): Tip | undefined {
  if (!isObject(value)) return undefined;
  const { epoch } = value;
  const vote = toPubkey(value["vote"]);
  return vote !== undefined && isCount(epoch) ? { vote, epoch } : undefined;
}

/** Reads what `tipShare` describes, null included; undefined: not sure, ask zod. */
export function readTipShare(value: unknown): TipShare | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [basisPoints] = value as unknown[];
  return isAtMost(basisPoints, BASIS_POINTS_MAX) ? [basisPoints] : undefined;
}

function readCredits(value: unknown): CreditsRow[] | undefined {
  const credits = readAll(value, readCreditsRow);
  return credits === undefined || credits.length > CREDITS_MAX ? undefined : credits;
}

function readCreditsRow(value: unknown): CreditsRow | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [epoch, credits, previousCredits] = value as unknown[];
  const [now, before] = [toLamports(credits), toLamports(previousCredits)];
  if (!isCount(epoch) || now === undefined || before === undefined) return undefined;
  return [epoch, now, before];
}

function readAll<Row>(
  value: unknown,
  read: (value: unknown) => Row | undefined,
): Row[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rows: Row[] = [];
  for (const each of value) {
    const row = read(each);
    if (row === undefined) return undefined;
    rows.push(row);
  }
  return rows;
}

function toLamports(value: unknown): bigint | undefined {
  if (typeof value === "string") return LAMPORTS.test(value) ? BigInt(value) : undefined;
  return typeof value === "bigint" && value >= 0n ? value : undefined;
}

const keys = new Map<string, string>();

/** Entries repeat nearly all keys, so each text is tested once, and all rows share one string. */
function toPubkey(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const known = keys.get(value);
  if (known !== undefined) return known;
  if (!PUBKEY_PATTERN.test(value)) return undefined;
  if (keys.size >= KEYS_MAX) keys.clear();
  keys.set(value, value);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.length <= RAW_TEXT_MAX);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAtMost(value: unknown, most: number): value is number | null {
  return value === null || (isCount(value) && value <= most);
}
