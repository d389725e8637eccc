import type { EventTransaction, MevState, RateProof, ValidatorRecord } from "./records.ts";

/** What proved transactions made of an inflation commission in one slot: only what stands at its end can be paid. */
export interface Move {
  slot: number;
  epoch: number;
  /** Basis points; null: several transactions of one slot, and nobody tells which came last. */
  to: number | null;
  /** What each of them would have left. */
  ends: readonly number[];
  /** All that was set, in order. */
  steps: EventTransaction["steps"];
  /** The last transaction of the slot. */
  proof: RateProof;
}

/** The moves of a validator, oldest first. */
export function toMoves({ rateProofs }: ValidatorRecord): Move[] {
  const proofs = rateProofs.filter(({ isDisputed }) => !isDisputed);
  return [...Map.groupBy(proofs, ({ slot }) => slot).values()].flatMap((ofSlot) => {
    const move = toMove(ofSlot);
    return move === null ? [] : [{ ...move, to: isInOrder(ofSlot) ? move.to : null }];
  });
}

/**
 * A move of which nobody tells what it left, where a commission was observed after it and nothing else happened: the transaction
 * that set this commission came last. Any other move as it is.
 */
export function settleMove(move: Move, ofSlot: readonly RateProof[], observed: MevState): Move {
  if (move.to !== null) return move;
  const own = ofSlot.filter(({ slot, isDisputed }) => slot === move.slot && !isDisputed);
  const [last, ...others] = own.filter(({ rates }) => rates.at(-1) === observed);
  if (last === undefined || others.length > 0) return move;
  return toMove([...own.filter((proof) => proof !== last), last]) ?? move;
}

/** @param ofSlot in their order */
function toMove(ofSlot: readonly RateProof[]): Move | null {
  const proof = ofSlot.at(-1);
  if (proof === undefined) return null;
  const { slot, epoch } = proof;
  return {
    slot,
    epoch,
    to: proof.rates.at(-1) ?? null,
    ends: ofSlot.flatMap(({ rates }) => rates.at(-1) ?? []),
    steps: ofSlot.flatMap(({ signature, rates }) => rates.map((basisPoints) => ({ signature, slot, basisPoints }))),
    proof,
  };
}

/** What an event shows of the moves that it was made by; the last of them reached its new commission. */
export function toTransaction(moves: readonly [Move, ...Move[]]): EventTransaction {
  const { signature, slot, blockTime, signer, verified } = (moves.at(-1) ?? moves[0]).proof;
  return { signature, slot, blockTime, signer, verified, steps: moves.flatMap(({ steps }) => steps) };
}

/** The newest slot by which most of the witnesses that have shown the commission held had shown it. */
export function shownUntil({ inflationShown, inflationShownBy }: ValidatorRecord): number {
  const slots = inflationShownBy.flatMap((moment) => moment?.slot ?? []).sort((a, b) => b - a);
  return Math.max(inflationShown.slot, slots[Math.floor(slots.length / 2)] ?? 0);
}

function isInOrder(ofSlot: readonly RateProof[]): boolean {
  if (ofSlot.length === 1) return true;
  const places = new Set(ofSlot.flatMap(({ index }) => index ?? []));
  return places.size === ofSlot.length;
}
