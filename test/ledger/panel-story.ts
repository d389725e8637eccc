import type { AccountRow, AccountsAnswer, CheckEntry, PanelRow, SnapshotEntry } from "../../generator/entries/entry.ts";
import { check, epochAt, keyOf, row, slotAt, snapshot, toListing, toSilentWitness, type Fact } from "./story.ts";

export const endpointOf = (witness: number): string => `http://witness-${witness}.example#${witness}`;

export interface Told {
  of: number;
  /** Whose list is the entry's own; by default the first that gives one. */
  by?: number;
  /** Each witness's slot relative to the true one; null: no answer. */
  ahead?: readonly (number | null)[];
  /** A in each witness's list; by default as in the facts. */
  lists?: readonly Listed[];
  /** Each witness's own facts; by default those of the observation. */
  facts?: readonly (Fact[] | undefined)[];
  /** Each witness's epoch; by default the true one. */
  epochs?: readonly (number | undefined)[];
  /** A's withdraw authority, as every witness reads it. */
  authority?: string;
  /** Each witness's block revenue commission of A, basis points; null: unreadable. 10,000 by default. */
  revenue?: readonly (number | null)[];
}

/** A witness's account of A: basis points; null: no account; "silent": no answer. */
export type Held = number | { bps: number; ahead?: number } | { percent: number; ahead?: number } | null | "silent";

/** A in a witness's list: basis points; null: not listed; "silent": no answer. */
export type Listed =
  number | { bps: number; ahead?: number } | { percent: number; ahead?: number } | null | "silent" | undefined;

export const all = <Value>(of: number, said: Value): Value[] => Array.from({ length: of }, () => said);

/** @param told.held the accounts of A, read because the lists leave its rate unclear */
export function panelCheck(
  minute: number,
  facts: Fact[],
  { held, ...told }: Told & { held?: readonly Held[] },
  head: Partial<CheckEntry> = {},
): CheckEntry {
  const panel = toPanel(minute, facts, told);
  const votes = check(minute, panel.own).votes;
  const accounts = (held ?? []).map((own, witness): AccountsAnswer => {
    if (own === "silent") return toSilence(witness);
    const rows = [toRow(own, told.authority)];
    return { state: "ok", endpoint: endpointOf(witness), slot: slotAt(minute) + aheadOf(own), rows };
  });
  const unclear = held === undefined ? [] : [keyOf("A")];
  return { ...check(minute, []), ...panel.header, votes, unclear, accounts, ...head };
}

/** What each witness's list shows of A, beside the nine. */
export function heard(minute: number, lists: readonly Listed[], facts: Fact[]): CheckEntry {
  return panelCheck(minute, facts, { of: lists.length, lists });
}

/** Every account agrees with the list, except the given ones of A. */
export function panelSnapshot(
  minute: number,
  facts: Fact[],
  { held, ...told }: Told & { held?: readonly Held[] },
  sides: Partial<SnapshotEntry> = {},
): SnapshotEntry {
  const panel = toPanel(minute, facts, told);
  const entry = { ...snapshot(minute, panel.own), ...panel.header };
  const accounts = Array.from({ length: told.of }, (_, witness): AccountsAnswer => {
    const own = held?.[witness];
    if (own === "silent") return toSilence(witness);
    const rows = entry.votes.map(({ vote, basisPoints, percent }): AccountRow => {
      const isA = vote === keyOf("A");
      const revenue = isA ? (told.revenue?.[witness] ?? null) : null;
      const blockRevenue = isA && told.revenue !== undefined ? revenue : ALL_OF_IT;
      if (isA && own !== undefined) return toRow(own, told.authority, blockRevenue);
      return [basisPoints, percent, isA ? (told.authority ?? vote) : vote, blockRevenue];
    });
    return { state: "ok", endpoint: endpointOf(witness), slot: slotAt(minute) + aheadOf(own), rows };
  });
  return { ...entry, accounts, ...sides };
}

/** The same observation, by a healthy panel. */
export function byPanel(size: number, entry: SnapshotEntry): SnapshotEntry {
  const { slot, epoch, absoluteSlot } = entry;
  const panel = Array.from({ length: size }, (_, witness) =>
    toListing(endpointOf(witness), { slot: absoluteSlot, listSlot: slot, epoch }),
  );
  return { ...entry, endpoint: endpointOf(0), panel };
}

/** A witness on the tips of A in one epoch: lamports, settled ones as text; null: unreadable. */
export type Tips = bigint | `${bigint} settled` | null | "absent" | "silent";

/** Each witness's reading of A's tips in an epoch. */
export function tipsBy(minute: number, epoch: number, ...said: Tips[]): NonNullable<SnapshotEntry["tipAmounts"]> {
  const answers = answersOf(minute, said, (one) => ({ amounts: [toAmount(one)] }));
  return { state: "ok", value: { tips: [{ vote: keyOf("A"), epoch }], answers } };
}

function toAmount(said: Exclude<Tips, "silent">): [bigint | null, boolean] | null {
  if (said === "absent") return null;
  return typeof said === "string" ? [BigInt(said.replace(" settled", "")), true] : [said, false];
}

function toPanel(minute: number, shared: Fact[], { of, by, ahead = [], lists = [], facts = [], epochs = [] }: Told) {
  const rows = Array.from({ length: of }, (_, witness) => toFacts(facts[witness] ?? shared, lists[witness]));
  const isSilent = (witness: number) => ahead[witness] === null || lists[witness] === "silent";
  const base = by ?? rows.findIndex((_, witness) => !isSilent(witness));
  const own = rows[base] ?? shared;
  const levelOf = (witness: number) => slotAt(minute) + (ahead[witness] ?? 0) + aheadOf(lists[witness]);
  const panel = rows.map((listed, witness): PanelRow => {
    const endpoint = endpointOf(witness);
    if (isSilent(witness)) return toSilentWitness(endpoint);
    const listing = toListing(endpoint, { slot: levelOf(witness), epoch: epochs[witness] ?? epochAt(minute) });
    return { ...listing, list: listing.list && { ...listing.list, ...toDifference(own, listed) } };
  });
  const { slotIndex, absoluteSlot } = check(minute, []);
  const more = levelOf(base) - absoluteSlot;
  const header = {
    ...{ endpoint: endpointOf(base), slot: absoluteSlot + more, absoluteSlot: absoluteSlot + more },
    ...{ slotIndex: slotIndex + more, panel },
  };
  return { own, header };
}

function toFacts(facts: Fact[], listed: Listed): Fact[] {
  if (listed === undefined || listed === "silent") return facts;
  const others = facts.filter(({ name }) => name !== "A");
  if (listed === null) return others;
  if (typeof listed === "number") return [...others, { name: "A", bps: listed }];
  return [...others, "bps" in listed ? { name: "A", bps: listed.bps } : { name: "A", percent: listed.percent }];
}

/** How a list differs from the entry's own. */
export function toDifference(own: Fact[], listed: Fact[]) {
  const textOf = (fact: Fact | undefined) =>
    JSON.stringify(fact, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  const known = new Map(own.map((fact) => [fact.name, textOf(fact)]));
  const names = new Set(listed.map(({ name }) => name));
  const rows = listed.filter((fact) => known.get(fact.name) !== textOf(fact)).map(row);
  return {
    lacks: own.flatMap(({ name }) => (names.has(name) ? [] : [keyOf(name)])),
    rows: rows.map(({ vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet }) => {
      return { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet };
    }),
  };
}

function answersOf<Said, Told extends object>(
  minute: number,
  said: readonly Said[],
  tell: (one: Exclude<Said, "silent">) => Told,
) {
  return said.map((one, witness) => {
    if (one === "silent") return toSilence(witness);
    const slot = slotAt(minute) + aheadOf(one);
    return { state: "ok" as const, endpoint: endpointOf(witness), slot, ...tell(one as Exclude<Said, "silent">) };
  });
}

const SILENT = { state: "failed" as const, reason: "no answer in time" };

function toSilence(witness: number) {
  return { ...SILENT, endpoint: endpointOf(witness) };
}

const ALL_OF_IT = 10_000;

function toRow(
  held: Exclude<Held, "silent">,
  authority = keyOf("authority of A"),
  blockRevenue: number | null = ALL_OF_IT,
): AccountRow {
  if (held === null) return null;
  if (typeof held === "number") return [held, null, authority, blockRevenue];
  return "bps" in held ? [held.bps, null, authority, blockRevenue] : [null, held.percent, authority, null];
}

function aheadOf(said: unknown): number {
  return typeof said === "object" && said !== null && "ahead" in said ? Number(said.ahead) : 0;
}
