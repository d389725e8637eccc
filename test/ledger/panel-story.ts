import type {
  AccountRow,
  AccountsAnswer,
  CheckEntry,
  ConfirmAnswer,
  ListRow,
  ConfirmEntry,
  SnapshotEntry,
} from "../../generator/entries/entry.ts";
import { check, keyOf, slotAt, snapshot, timeAt, type Fact } from "./story.ts";

export const endpointOf = (witness: number): string => `http://witness-${witness}.example#${witness}`;

export interface Told {
  of: number;
  /** Whose list was read; the first by default. */
  by?: number;
  /** Each witness's slot relative to the true one; null: no answer. */
  ahead?: (number | null)[];
  /** A's withdraw authority, as every witness reads it. */
  authority?: string;
  /** Each witness's block revenue commission of A, basis points; null: unreadable. 10,000 by default. */
  revenue?: readonly (number | null)[];
}

/** A witness's account of A: basis points; null: no account; "silent": no answer. */
export type Held = number | { bps: number; ahead?: number } | { percent: number; ahead?: number } | null | "silent";

export const all = <Value>(of: number, said: Value): Value[] => Array.from({ length: of }, () => said);

export function panelCheck(minute: number, facts: Fact[], told: Told, head: Partial<CheckEntry> = {}): CheckEntry {
  return { ...check(minute, facts), ...toHeader(minute, told), ...head };
}

/** Every account agrees with the list, except the given ones of A. */
export function panelSnapshot(
  minute: number,
  facts: Fact[],
  { held, ...told }: Told & { held?: Held[] },
  sides: Partial<SnapshotEntry> = {},
): SnapshotEntry {
  const entry = { ...snapshot(minute, facts), ...toHeader(minute, told) };
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

/** @param lists of each witness; by default as its account */
export function panelConfirm(
  minute: number,
  held: readonly Held[],
  authority?: string,
  lists: readonly (Held | undefined)[] = [],
): ConfirmEntry {
  const answers = held.map((own, witness): ConfirmAnswer => {
    const listed = lists[witness] ?? own;
    const slotOf = (said: Held) => slotAt(minute) + aheadOf(said);
    return {
      endpoint: endpointOf(witness),
      list: listed === "silent" ? SILENT : { state: "ok", slot: slotOf(listed), rows: [toListRow(listed)] },
      accounts: own === "silent" ? SILENT : { state: "ok", slot: slotOf(own), rows: [toRow(own, authority)] },
    };
  });
  return toConfirm(minute, { votes: [keyOf("A")], answers });
}

function toListRow(listed: Exclude<Held, "silent">): ListRow {
  const row = toRow(listed);
  return row === null ? null : [row[0], row[1]];
}

/** The same observation, read by the first of a healthy panel. */
export function byPanel(size: number, entry: SnapshotEntry): SnapshotEntry {
  return { ...entry, endpoint: endpointOf(0), panel: toPanel(all(size, entry.slot)) };
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

function toHeader(minute: number, { of, by = 0, ahead = [] }: Told) {
  const { slot, slotIndex, absoluteSlot } = check(minute, []);
  const own = ahead[by] ?? 0;
  const slots = all(of, slot).map((level, witness) => (ahead[witness] === null ? null : level + (ahead[witness] ?? 0)));
  return {
    endpoint: endpointOf(by),
    slot: slot + own,
    absoluteSlot: absoluteSlot + own,
    slotIndex: slotIndex + own,
    panel: toPanel(slots),
  };
}

function toPanel(slots: readonly (number | null)[]) {
  return slots.map((slot, witness) => {
    return { endpoint: endpointOf(witness), slot, reason: slot === null ? "no answer in time" : null };
  });
}

function toConfirm(minute: number, parts: Pick<ConfirmEntry, "votes" | "answers">): ConfirmEntry {
  return { kind: "confirm", format: 1, network: "mainnet", time: timeAt(minute), ...parts };
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
