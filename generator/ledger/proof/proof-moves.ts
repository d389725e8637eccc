import type { Ledger } from "../ledger.ts";
import { epochAt } from "../schedule.ts";
import type { EventTransaction } from "../event-record.ts";
import type { MevState, RateProof, ValidatorRecord } from "../records.ts";

/** A slot's changes to a commission. Only the last value can be paid. */
export interface Move {
  slot: number;
  epoch: number;
  /** null: several transactions whose order is unknown. */
  to: number | null;
  /** The values that could be last: the one each transaction would leave. */
  ends: readonly number[];
  steps: EventTransaction["steps"];
  /** The slot's last transaction. */
  proof: RateProof;
}

/** A validator's proved commission changes, one a slot, ascending. Disputed proofs are left out. */
export function toMoves({ rateProofs }: ValidatorRecord): Move[] {
  const proofs = rateProofs.filter(({ isDisputed }) => !isDisputed);
  return [...Map.groupBy(proofs, ({ slot }) => slot).values()].flatMap((ofSlot) => {
    const move = toMove(ofSlot);
    return move === null ? [] : [{ ...move, to: isInOrder(ofSlot) ? move.to : null }];
  });
}

/** Updates the epochs of proofs: the schedule may have been wrong when a transaction was read. */
export function redateProofs(ledger: Ledger, validatorIndexes: ReadonlySet<number>): void {
  const since = ledger.epochs[0]?.firstSlot ?? Infinity;
  for (const validatorIndex of validatorIndexes)
    for (const proof of ledger.validators[validatorIndex]?.rateProofs ?? [])
      if (proof.slot >= since) proof.epoch = epochAt(ledger, proof.slot);
}

/** Settles an unknown order by the commission observed afterwards. */
export function settleMove(move: Move, ofSlot: readonly RateProof[], observed: MevState): Move {
  if (move.to !== null) return move;
  const own = ofSlot.filter(({ slot, isDisputed }) => slot === move.slot && !isDisputed);
  const [last, ...others] = own.filter(({ rates }) => rates.at(-1) === observed);
  if (last === undefined || others.length > 0) return move;
  return toMove([...own.filter((proof) => proof !== last), last]) ?? move;
}

/** @param ofSlot in block order */
function toMove(ofSlot: readonly RateProof[]): Move | null {
  const proof = ofSlot.at(-1);
  if (proof === undefined) return null;
  const { slot, epoch } = proof;
  return {
    slot,
    epoch,
    to: proof.rates.at(-1) ?? null,
    ends: ofSlot.flatMap(({ rates }) => rates.at(-1) ?? []),
    steps: ofSlot.flatMap(({ signature, rates }) =>
      rates.map((basisPoints) => ({ signature, slot, basisPoints })),
    ),
    proof,
  };
}

/** @param moves all in the event's window, in order */
export function toTransaction({ proof }: Move, moves: readonly Move[]): EventTransaction {
  const { signature, slot, blockTime, signer, verified } = proof;
  return {
    signature,
    slot,
    blockTime,
    signer,
    verified,
    steps: moves.flatMap(({ steps }) => steps),
  };
}

function isInOrder(ofSlot: readonly RateProof[]): boolean {
  if (ofSlot.length === 1) return true;
  const positions = new Set(ofSlot.flatMap(({ index }) => index ?? []));
  return positions.size === ofSlot.length;
}
