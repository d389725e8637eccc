import { OUTDATED_SLOTS } from "../belief.ts";
import { MAX_BASIS_POINTS } from "../../chain/commission.ts";
import type {
  AccountChange,
  BlockRevenue,
  BlockRevenueChange,
  Moment,
  ValidatorRecord,
} from "../records.ts";

/* Snapshots show that the commission on block revenue
   changed, transactions how: joined here, each change once. */

type Known = Pick<ValidatorRecord, "blockRevenue" | "accountChanges">;

/** A change of the commission on block revenue, in basis points. */
export interface BlockRevenueStep {
  /** The value read before; null: none was. */
  from: number | null;
  /** At most 10,000. */
  to: number;
  /** The snapshots before and after; null: only its transaction shows it. */
  seen: { previous: Moment; first: Moment } | null;
  /** null: its transaction is not known. */
  proof: BlockRevenueChange | null;
  slot: number;
  epoch: number;
}

/** Changes of the commission on block revenue, oldest first. */
export function blockRevenueSteps({ blockRevenue, accountChanges }: Known): BlockRevenueStep[] {
  const proofs = accountChanges.filter(isOfBlockRevenue);
  const seen = blockRevenue.changes.map(({ from, to, previous, first }): BlockRevenueStep => {
    const last = proofs.findLast(({ slot }) => slot <= first.slot);
    const isMade =
      last !== undefined && toCapped(last) === to && last.slot > previous.slot - OUTDATED_SLOTS;
    const proof = isMade ? last : null;
    const { slot, epoch } = proof ?? first;
    return { from, to, seen: { previous, first }, proof, slot, epoch };
  });
  const joined = new Set(seen.map(({ proof }) => proof));
  const unseen = proofs
    .filter((proof) => !joined.has(proof))
    .map((proof): BlockRevenueStep => {
      const { slot, epoch } = proof;
      return {
        from: readBefore(blockRevenue, slot),
        to: toCapped(proof),
        seen: null,
        proof,
        slot,
        epoch,
      };
    });
  return [...seen, ...unseen].sort((a, b) => a.slot - b.slot);
}

/** Basis points; null: not known, or the account has none (before layout v4). */
export function newestBlockRevenue({
  blockRevenue: { agreed },
  accountChanges,
}: Known): number | null {
  const proof = accountChanges.findLast(isOfBlockRevenue);
  if (proof === undefined) return agreed?.basisPoints ?? null;
  return agreed !== null && proof.slot <= agreed.until.slot - OUTDATED_SLOTS
    ? agreed.basisPoints
    : toCapped(proof);
}

function readBefore({ agreed, knownFrom, changes }: BlockRevenue, slot: number): number | null {
  if (knownFrom === null || knownFrom >= slot) return null;
  const last = changes.findLast(({ first }) => first.slot < slot);
  return last?.to ?? changes[0]?.from ?? agreed?.basisPoints ?? null;
}

function isOfBlockRevenue(change: AccountChange): change is BlockRevenueChange {
  return change.of === "blockRevenueCommission";
}

function toCapped({ to }: BlockRevenueChange): number {
  return Math.min(to, MAX_BASIS_POINTS);
}
