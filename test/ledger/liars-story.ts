import type { AccountRow, CheckEntry, PanelConfirmEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { check, keyOf, slotAt, snapshot, timeAt, type Fact } from "./story.ts";

/*
 * Stories of several witnesses. Witness 0 is `https://w0.example`, and so on.
 */

/** What a witness reads in the account of the only validator asked about: basis points, no such account, or it fails. */
export type Said = number | "absent" | "failed";

/** Where each witness says that the cluster is; null: it cannot be asked. */
type Slots = readonly (number | null)[];

export function endpointOf(witness: number): string {
  return `https://w${witness}.example#${witness}`;
}

/** All witnesses where the cluster is. */
export function levelAt(minute: number, witnesses: number): number[] {
  return Array.from({ length: witnesses }, () => slotAt(minute));
}

function toPanelRows(slots: Slots) {
  return slots.map((slot, index) => ({
    endpoint: endpointOf(index),
    slot,
    reason: slot === null ? "no answer" : null,
  }));
}

export function checkBy(
  minute: number,
  facts: Fact[],
  { by, slots, ...head }: { by: number; slots: Slots } & Partial<CheckEntry>,
): CheckEntry {
  return { ...check(minute, facts), endpoint: endpointOf(by), panel: toPanelRows(slots), ...head };
}

/** A snapshot in which all witnesses read the accounts that the list shows. */
export function snapshotBy(
  minute: number,
  facts: Fact[],
  { by, slots, ...head }: { by: number; slots: Slots } & Partial<SnapshotEntry>,
): SnapshotEntry {
  const base = snapshot(minute, facts);
  const rows = base.votes.map(({ basisPoints }): AccountRow => [basisPoints, null, keyOf("authority")]);
  const accounts = slots.map((slot, index) =>
    slot === null
      ? { state: "failed" as const, endpoint: endpointOf(index), reason: "no answer" }
      : { state: "ok" as const, endpoint: endpointOf(index), slot, rows },
  );
  return { ...base, endpoint: endpointOf(by), panel: toPanelRows(slots), accounts, ...head };
}

/** @param said by each witness of the account of one validator, at the slots given or where the cluster is */
export function confirmBy(
  minute: number,
  name: string,
  said: readonly Said[],
  slots?: readonly number[],
): PanelConfirmEntry {
  return {
    kind: "confirm",
    format: 1,
    network: "mainnet",
    time: timeAt(minute),
    votes: [keyOf(name)],
    tips: [],
    answers: said.map((one, index) => {
      const endpoint = endpointOf(index);
      if (one === "failed") return { state: "failed", endpoint, reason: "no answer" };
      const row: AccountRow = one === "absent" ? null : [one, null, keyOf("authority")];
      return { state: "ok", endpoint, slot: slots?.[index] ?? slotAt(minute), rows: [row], shares: [] };
    }),
  };
}
