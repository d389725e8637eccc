import { z } from "zod";
import { PUBKEY_PATTERN } from "../contract/values.ts";
import {
  type accountRow,
  BASIS_POINTS_MAX,
  type checkRow,
  CREDITS_MAX,
  type creditsRow,
  PERCENT_MAX,
  type productionRow,
  type snapshotRow,
  type stakeAccountsRow,
  type tip,
  type tipShare,
} from "./rows.ts";

/* zod took half the time of a rebuild, which reads half a billion rows for a year. */

type AccountRow = z.output<typeof accountRow>;
type CheckRow = z.output<typeof checkRow>;
type CreditsRow = z.output<typeof creditsRow>;
type ProductionRow = z.output<typeof productionRow>;
type SnapshotRow = z.output<typeof snapshotRow>;
type StakeAccountsRow = z.output<typeof stakeAccountsRow>;
type Tip = z.output<typeof tip>;
type TipShare = z.output<typeof tipShare>;

const LAMPORTS = /^\d{1,20}$/;

/** @param read undefined: not sure */
export function quickRows<Row extends z.ZodType>(row: Row, read: (value: unknown) => z.output<Row> | undefined) {
  const rows = z.array(row);
  return z.unknown().transform((value, context): z.output<Row>[] => {
    const quick = readAll(value, read);
    if (quick !== undefined) return quick;
    const parsed = rows.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: "custom", message, path: [...path] });
    return z.NEVER;
  });
}

export function readCheckRow(value: unknown): CheckRow | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { vote, basisPoints, percent, delinquent, activeStake } = value as Record<string, unknown>;
  const stake = toLamports(activeStake);
  if (!isPubkey(vote) || typeof delinquent !== "boolean" || stake === undefined) return undefined;
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return undefined;
  return { vote, basisPoints, percent, delinquent, activeStake: stake };
}

export function readSnapshotRow(value: unknown): SnapshotRow | undefined {
  const lean = readCheckRow(value);
  if (lean === undefined) return undefined;
  const { identity, inValidatorSet, credits } = value as Record<string, unknown>;
  if (!isPubkey(identity) || typeof inValidatorSet !== "boolean") return undefined;
  const rows = readAll(credits, readCreditsRow);
  if (rows === undefined || rows.length > CREDITS_MAX) return undefined;
  return { ...lean, identity, inValidatorSet, credits: rows };
}

export function readAccountRow(value: unknown): AccountRow | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [basisPoints, percent, authority, blockRevenue] = value as unknown[];
  if (!isAtMost(basisPoints, BASIS_POINTS_MAX) || !isAtMost(percent, PERCENT_MAX)) return undefined;
  if (!isAtMost(blockRevenue, BASIS_POINTS_MAX)) return undefined;
  return authority === null || isPubkey(authority) ? [basisPoints, percent, authority, blockRevenue] : undefined;
}

export function readProductionRow(value: unknown): ProductionRow | undefined {
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [identity, slots, blocks] = value as unknown[];
  return isPubkey(identity) && isCount(slots) && isCount(blocks) ? [identity, slots, blocks] : undefined;
}

export function readStakeAccountsRow(value: unknown): StakeAccountsRow | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [vote, activating, deactivating, count] = value as unknown[];
  const [more, less] = [toLamports(activating), toLamports(deactivating)];
  if (!isPubkey(vote) || more === undefined || less === undefined || !isCount(count)) return undefined;
  return [vote, more, less, count];
}

export function readTip(value: unknown): Tip | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { vote, epoch } = value as Record<string, unknown>;
  return isPubkey(vote) && isCount(epoch) ? { vote, epoch } : undefined;
}

export function readTipShare(value: unknown): TipShare | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [basisPoints] = value as unknown[];
  return isAtMost(basisPoints, BASIS_POINTS_MAX) ? [basisPoints] : undefined;
}

function readCreditsRow(value: unknown): CreditsRow | undefined {
  if (value === null) return null;
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [epoch, credits, previousCredits] = value as unknown[];
  const [now, before] = [toLamports(credits), toLamports(previousCredits)];
  if (!isCount(epoch) || now === undefined || before === undefined) return undefined;
  return [epoch, now, before];
}

function readAll<Row>(value: unknown, read: (value: unknown) => Row | undefined): Row[] | undefined {
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

function isPubkey(value: unknown): value is string {
  return typeof value === "string" && PUBKEY_PATTERN.test(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isAtMost(value: unknown, most: number): value is number | null {
  return value === null || (isCount(value) && value <= most);
}
