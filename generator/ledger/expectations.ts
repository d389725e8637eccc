import type { Expectations } from "../agree/agree.ts";
import type { Entry } from "../entries/entry.ts";
import type { Ledger } from "./ledger.ts";
import { expectSlot } from "./acceptance/slot-refusals.ts";
import { isWholePercent } from "./rates/whole-percent.ts";

/** What agreeing on an entry needs from the ledger as it is before the entry. */
export function expectationsOf(ledger: Ledger, entry: Entry): Expectations {
  const { newest } = ledger.acceptance;
  const isWhole = "epoch" in entry && isWholePercent(ledger, entry.epoch);
  return {
    clusterSlot: expectedSlot(ledger, entry.time),
    acceptedSlot: newest?.slot ?? 0,
    isWhole,
  };
}

/**
 * Where the cluster is by its measured pace, or else
 * where it was last accepted. null: nothing was accepted
 * @param time ISO 8601 in UTC
 */
export function expectedSlot(ledger: Ledger, time: string): number | null {
  return expectSlot(ledger, Date.parse(time)) ?? ledger.acceptance.newest?.slot ?? null;
}
