import type { Ledger } from "./ledger.ts";
import { expectSlot, NODES_DIFFER_SLOTS } from "./slot-objections.ts";

/*
 * Endpoints as witnesses of each other. Who stands behind an origin is one witness,
 * however many addresses lead there. Fewer than half of a panel may lie.
 */

/** The witnesses that were asked for an entry, by their ordinals, preferred first. */
export interface Panel {
  witnesses: readonly number[];
  /** So many of them are more than half. */
  majority: number;
  /** So many of them may lie, and nothing false may come of it: a minority, or one of two. */
  liarsMost: number;
}

/** The panel of an entry, from the labels of those that were asked. */
export function toPanel(ledger: Ledger, asked: readonly { endpoint: string }[]): Panel {
  const witnesses = [...new Set(asked.map(({ endpoint }) => witnessOf(ledger, endpoint)))];
  const majority = Math.floor(witnesses.length / 2) + 1;
  const liarsMost = witnesses.length === 2 ? 1 : Math.ceil(witnesses.length / 2) - 1;
  return { witnesses, majority, liarsMost };
}

/** The ordinal of the witness behind a label, `ORIGIN#POSITION`. */
export function witnessOf({ witnesses }: Ledger, label: string): number {
  const origin = originOf(label);
  const known = witnesses.findIndex((witness) => witness.origin === origin);
  if (known !== -1) return known;
  return witnesses.push({ origin, askedAt: null, slot: -1, accountsSlot: -1, stake: null }) - 1;
}

/** The origin of a label: an address may move in the list of endpoints, who answers there is the same. */
export function originOf(label: string): string {
  return label.replace(/#\d+$/, "");
}

/**
 * Where the cluster is: the median of what the witnesses say. Of two, neither of which is more to be believed than the
 * other, the one that fits to the measured pace; who is far ahead of it is as odd as who is behind.
 * @param slots of the witnesses that answered
 * @param time ISO 8601 in UTC
 * @returns null where fewer than two say anything
 */
export function findClusterSlot(ledger: Ledger, slots: readonly number[], time: string): number | null {
  if (slots.length < 2) return null;
  // Where no pace is measured, the one that is less far from what was accepted last.
  const fitting = expectSlot(ledger, Date.parse(time)) ?? ledger.acceptance.newest?.slot ?? null;
  const expected = slots.length === 2 ? fitting : null;
  const said = [...slots, ...(expected === null ? [] : [expected])].sort((a, b) => a - b);
  return said[Math.floor(said.length / 2)] ?? null;
}

/** Whether a slot is where the cluster is, as far as nodes that are well differ; true where nobody knows. */
export function isInPlace(slot: number, clusterSlot: number | null): boolean {
  return clusterSlot === null || Math.abs(slot - clusterSlot) <= NODES_DIFFER_SLOTS;
}

/** The epoch of a slot by the epochs that were observed, carried on by the length of the nearest. */
export function epochAt({ epochs, acceptance }: Ledger, slot: number): number {
  const nearest = epochs.findLast(({ firstSlot }) => firstSlot <= slot) ?? epochs.at(0);
  if (nearest === undefined) return acceptance.newest?.epoch ?? 0;
  return Math.max(0, nearest.epoch + Math.floor((slot - nearest.firstSlot) / nearest.slotsInEpoch));
}
