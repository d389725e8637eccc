import { liarsMostOf, majorityOf } from "../agree/majority.ts";
import type { Ledger } from "./ledger.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./slot-objections.ts";

/* One origin is one witness. Fewer than half of a panel may lie. */

/** Ordinals, preferred first. */
export interface Panel {
  witnesses: readonly number[];
  majority: number;
  /** May lie without effect: a minority, or one of two. */
  liarsMost: number;
}

export function toPanel(ledger: Ledger, asked: readonly { endpoint: string }[]): Panel {
  const witnesses = [...new Set(asked.map(({ endpoint }) => witnessOf(ledger, endpoint)))];
  const size = witnesses.length;
  return { witnesses, majority: majorityOf(size), liarsMost: liarsMostOf(size) };
}

/** @param label `ORIGIN#POSITION` */
export function witnessOf({ witnesses }: Ledger, label: string): number {
  const origin = originOf(label);
  const known = witnesses.findIndex((witness) => witness.origin === origin);
  if (known !== -1) return known;
  return witnesses.push({ origin, askedAt: null, slot: -1, stake: null }) - 1;
}

/** The position in the endpoint list may change. */
export function originOf(label: string): string {
  return label.replace(/#\d+$/, "");
}

/**
 * Of two, the one closer to the measured pace: far ahead is as suspect as behind.
 * @param time ISO 8601 in UTC
 */
export function findClusterSlot(ledger: Ledger, slots: readonly number[], time: string): number | null {
  if (slots.length < 2) return null;
  // Without a measured pace, the one closer to the last accepted slot.
  const fitting = expectSlot(ledger, Date.parse(time)) ?? ledger.acceptance.newest?.slot ?? null;
  const expected = slots.length === 2 ? fitting : null;
  const said = [...slots, ...(expected === null ? [] : [expected])].sort((a, b) => a - b);
  return said[Math.floor(said.length / 2)] ?? null;
}

export function isInPlace(slot: number, clusterSlot: number | null): boolean {
  return clusterSlot === null || Math.abs(slot - clusterSlot) <= NODES_DIFFER_SLOTS;
}

/** By the observed schedule, extended with the nearest epoch's length. */
export function epochAt({ epochs, acceptance }: Ledger, slot: number): number {
  const nearest = epochs.findLast(({ firstSlot }) => firstSlot <= slot) ?? epochs.at(0);
  if (nearest === undefined) return acceptance.newest?.epoch ?? 0;
  return Math.max(0, nearest.epoch + Math.floor((slot - nearest.firstSlot) / nearest.slotsInEpoch));
}

/** By the same schedule. */
export function lastSlotOf({ epochs }: Pick<Ledger, "epochs">, epoch: number): number {
  const nearest = epochs.findLast((one) => one.epoch <= epoch) ?? epochs[0];
  if (nearest === undefined) return Infinity;
  return nearest.firstSlot + (epoch + 1 - nearest.epoch) * nearest.slotsInEpoch - 1;
}
