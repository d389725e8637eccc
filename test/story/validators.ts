import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type { SnapshotRow } from "../../generator/entries/entry.ts";

export function keyOf(name: string): string {
  return base58.encode(createHash("sha256").update(name).digest());
}

/** What a list shows of a validator: by default 5 % and a stake of 1 SOL, in the set and voting. */
export interface Fact {
  name: string;
  bps?: number | null;
  percent?: number | null;
  delinquent?: boolean;
  stake?: bigint;
  identity?: string;
  inSet?: boolean;
  credits?: SnapshotRow["credits"];
}

export function row(fact: Fact): SnapshotRow {
  return {
    vote: keyOf(fact.name),
    basisPoints: fact.bps === undefined ? (fact.percent === undefined ? 500 : null) : fact.bps,
    percent: fact.percent ?? null,
    delinquent: fact.delinquent ?? false,
    activeStake: fact.stake ?? 1_000_000_000n,
    identity: keyOf(`identity of ${fact.identity ?? fact.name}`),
    inValidatorSet: fact.inSet ?? true,
    credits: fact.credits ?? [],
  };
}

export function crowd(count: number, fact: Omit<Fact, "name"> = {}): Fact[] {
  return Array.from({ length: count }, (_, index) => ({ name: `crowd ${index}`, ...fact }));
}

export const rest = crowd(9);

/** The nine and A: its basis points, or other facts. */
export const withA = (ofA: number | Omit<Fact, "name"> = {}): Fact[] => [
  ...rest,
  { name: "A", ...(typeof ofA === "number" ? { bps: ofA } : ofA) },
];
