import type { CheckEntry, PanelConfirmEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { check, keyOf, slotAt, snapshot, timeAt, type Fact } from "./story.ts";

/* Stories that witnesses tell: entries as a panel makes them, written short. */

/** The endpoint of a witness, which is named by its place in the list of endpoints. */
export function endpointOf(witness: number): string {
  return `http://witness-${witness}.example#${witness}`;
}

export interface Told {
  /** How many witnesses there are. */
  of: number;
  /** Whose list was read; the first by default. */
  by?: number;
  /** What each witness says of its slot beyond the true one; null: it says nothing. */
  ahead?: (number | null)[];
  /** The withdraw authority of A that every witness reads. */
  authority?: string;
}

/** What a witness holds in the account of A; null: no such account, "silent": no answer. */
export type Held = { bps: number; ahead?: number } | { percent: number; ahead?: number } | null | "silent";

export function panelCheck(minute: number, facts: Fact[], told: Told): CheckEntry {
  return { ...check(minute, facts), ...toHeader(minute, told) };
}

/** Every witness holds in the accounts what the list says, but for those of A that are given. */
export function panelSnapshot(
  minute: number,
  facts: Fact[],
  told: Told & { held?: Held[] },
  sides: Partial<SnapshotEntry> = {},
): SnapshotEntry {
  const entry = { ...snapshot(minute, facts, sides), ...toHeader(minute, told) };
  const accounts = Array.from({ length: told.of }, (_, witness) => {
    const own = told.held?.[witness];
    const endpoint = endpointOf(witness);
    if (own === "silent") return { state: "failed" as const, endpoint, reason: "no answer in time" };
    const rows = entry.votes.map(({ vote, basisPoints, percent }): [number | null, number | null, string] | null =>
      vote === keyOf("A") && own !== undefined
        ? toRow(own, told.authority)
        : [basisPoints, percent, vote === keyOf("A") ? (told.authority ?? vote) : vote],
    );
    return { state: "ok" as const, endpoint, slot: slotAt(minute) + aheadOf(own), rows };
  });
  return { ...entry, accounts };
}

/** The second reading of A. */
export function panelConfirm(minute: number, held: Held[], authority?: string): PanelConfirmEntry {
  return {
    kind: "confirm",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    votes: [keyOf("A")],
    tips: [],
    answers: held.map((own, witness) => {
      const endpoint = endpointOf(witness);
      if (own === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
      return { state: "ok", endpoint, slot: slotAt(minute) + aheadOf(own), rows: [toRow(own, authority)], shares: [] };
    }),
  };
}

function toHeader(minute: number, { of, by = 0, ahead = [] }: Told) {
  const slot = slotAt(minute);
  const own = ahead[by] ?? 0;
  const { slotIndex, absoluteSlot } = check(minute, []);
  const panel = Array.from({ length: of }, (_, witness) => {
    const beyond = ahead[witness];
    const said = beyond === null ? null : slot + (beyond ?? 0);
    return { endpoint: endpointOf(witness), slot: said, reason: said === null ? "no answer in time" : null };
  });
  return {
    endpoint: endpointOf(by),
    slot: slot + own,
    absoluteSlot: absoluteSlot + own,
    slotIndex: slotIndex + own,
    panel,
  };
}

function toRow(
  held: Exclude<Held, "silent">,
  authority = keyOf("authority of A"),
): [number | null, number | null, string] | null {
  if (held === null) return null;
  return "bps" in held ? [held.bps, null, authority] : [null, held.percent, authority];
}

function aheadOf(held: Held | undefined): number {
  return typeof held === "object" && held !== null ? (held.ahead ?? 0) : 0;
}
