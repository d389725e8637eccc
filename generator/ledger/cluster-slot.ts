import type { Ledger } from "./ledger.ts";
import { expectSlot } from "./slot-objections.ts";

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
