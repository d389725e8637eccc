import type { SnapshotEntry } from "../entries/entry.ts";
import { isKnownEnabled } from "./mev-held.ts";
import type { ValidatorRecord } from "./records.ts";
import type { Step } from "./step.ts";

export type ClosedSections = Pick<SnapshotEntry, "closedMev" | "closedTips" | "panel">;

/** Who had no MEV record in a closed epoch. */
export interface ClosedEvidence {
  epoch: number;
  /** Length of the vendor's list; null: it says nothing. */
  listLength: number | null;
  /** null: nobody can say yet. */
  isMissing: (validator: ValidatorRecord) => boolean | null;
}

/** Under this share of the list before, or of the accounts that were sure to be found, an answer is a failure. */
const LEAST_PERCENT = 80;
/** So few missing accounts are no failure, however few were asked for. */
const FEW_MISSING = 20;

/**
 * Weighs what the vendor's list and the accounts on chain, read by one endpoint, say of the epoch that closed before the
 * running one. The account is the better witness: of a validator without a record in the epoch the list shows the record of
 * the epoch before it, and whom the vendor's own sources leave out is not on it at all. So the list counts for those only
 * whose account was not read.
 * @returns null when nothing that can be believed is said
 */
export function toClosedEvidence(step: Step, { closedMev, closedTips }: ClosedSections): ClosedEvidence | null {
  const epoch = step.moment.epoch - 1;
  const listed = toListed(step, closedMev);
  const isTold = closedTips.state === "ok" && closedTips.value.epoch === epoch && "rows" in closedTips.value;
  const accounts = isTold && "rows" in closedTips.value ? closedTips.value.rows : null;
  const held = accounts === null || !isWhole(step, accounts) ? null : new Map(accounts.map((row) => [row.vote, row]));
  if (listed === null && held === null) return null;
  return {
    epoch,
    listLength: listed?.size ?? null,
    isMissing: ({ vote }) => {
      const account = held?.get(vote);
      return account === undefined ? listed !== null && !listed.has(vote) : !account.exists;
    },
  };
}

/** The vote accounts of the vendor's list of the closed epoch; null: it failed, is of another epoch, or too short. */
export function toListed({ ledger, moment }: Step, closedMev: SnapshotEntry["closedMev"]): Set<string> | null {
  if (closedMev.state !== "ok" || closedMev.value.epoch !== moment.epoch - 1) return null;
  const { rows } = closedMev.value;
  // The first list has none before it: it has at least those that are known to be enabled.
  const { listLength } = ledger.mevLists;
  const expected = listLength > 0 ? listLength : ledger.validators.filter(isKnownEnabled).length;
  return rows.length * 100 < expected * LEAST_PERCENT ? null : new Set(rows.map(({ vote }) => vote));
}

/** A node without such accounts finds none of them, or hardly any: few missing ones are no sign of that, many are. */
export function isWhole({ ledger }: Step, accounts: readonly { vote: string; exists: boolean }[]): boolean {
  if (!accounts.some(({ exists }) => exists)) return false;
  const enabled = new Set(ledger.validators.filter(isKnownEnabled).map(({ vote }) => vote));
  const expected = accounts.filter(({ vote }) => enabled.has(vote));
  const found = expected.filter(({ exists }) => exists).length;
  return expected.length - found <= FEW_MISSING || found * 100 >= expected.length * LEAST_PERCENT;
}
