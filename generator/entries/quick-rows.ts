import { z } from "zod";
import { PUBKEY_PATTERN } from "../contract/values.ts";
import {
  type accountRow,
  BASIS_POINTS_MAX,
  type checkRow,
  CREDITS_MAX,
  type creditsRow,
  PERCENT_MAX,
  type snapshotRow,
} from "./rows.ts";

/* zod took half the time of a rebuild, which reads half a billion rows for a year. */

type AccountRow = z.output<typeof accountRow>;
type CheckRow = z.output<typeof checkRow>;
type CreditsRow = z.output<typeof creditsRow>;
type SnapshotRow = z.output<typeof snapshotRow>;

const LAMPORTS = /^\d{1,20}$/;

/** @param read null: not sure */
export function quickRows<Row extends z.ZodType>(row: Row, read: (value: unknown) => z.output<Row> | null) {
  const rows = z.array(row);
  return z.unknown().transform((value, context): z.output<Row>[] => {
    const quick = readAll(value, read);
    if (quick !== null) return quick;
    const parsed = rows.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: "custom", message, path: [...path] });
    return z.NEVER;
  });
}

export function readCheckRow(value: unknown): CheckRow | null {
  if (typeof value !== "object" || value === null) return null;
  const { vote, basisPoints, percent, delinquent, activeStake } = value as Record<string, unknown>;
  const stake = toLamports(activeStake);
  if (!isPubkey(vote) || typeof delinquent !== "boolean" || stake === null) return null;
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return null;
  return { vote, basisPoints, percent, delinquent, activeStake: stake };
}

export function readSnapshotRow(value: unknown): SnapshotRow | null {
  const lean = readCheckRow(value);
  if (lean === null) return null;
  const { identity, inValidatorSet, credits } = value as Record<string, unknown>;
  if (!isPubkey(identity) || typeof inValidatorSet !== "boolean") return null;
  const rows = readAll(credits, readCreditsRow);
  if (rows === null || rows.length > CREDITS_MAX) return null;
  return { ...lean, identity, inValidatorSet, credits: rows };
}

/** null, a missing account, is left to zod. */
export function readAccountRow(value: unknown): NonNullable<AccountRow> | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  const [basisPoints, percent, authority, blockRevenue] = value as unknown[];
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return null;
  if (!isAtMost(blockRevenue, BASIS_POINTS_MAX)) return null;
  return authority === null || isPubkey(authority) ? [basisPoints, percent, authority, blockRevenue] : null;
}

/** null, Alpenglow's separator, is left to zod. */
function readCreditsRow(value: unknown): NonNullable<CreditsRow> | null {
  if (!Array.isArray(value) || value.length !== 3) return null;
  const [epoch, credits, previousCredits] = value as unknown[];
  const [now, before] = [toLamports(credits), toLamports(previousCredits)];
  if (!isCount(epoch) || now === null || before === null) return null;
  return [epoch, now, before];
}

function readAll<Row>(value: unknown, read: (value: unknown) => Row | null): Row[] | null {
  if (!Array.isArray(value)) return null;
  const rows: Row[] = [];
  for (const each of value) {
    const row = read(each);
    if (row === null) return null;
    rows.push(row);
  }
  return rows;
}

function toLamports(value: unknown): bigint | null {
  if (typeof value === "string") return LAMPORTS.test(value) ? BigInt(value) : null;
  return typeof value === "bigint" && value >= 0n ? value : null;
}

function isPubkey(value: unknown): value is string {
  return typeof value === "string" && PUBKEY_PATTERN.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAtMost(value: unknown, most: number): value is number | null {
  return value === null || (isCount(value) && value <= most);
}
