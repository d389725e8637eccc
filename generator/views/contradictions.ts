import { getU16 } from "../ledger/columns.ts";
import { agrees } from "../chain/commission.ts";
import { isWholePercent } from "../ledger/rates/whole-percent.ts";
import { isCovered } from "../ledger/proof/coverage.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { toMoves } from "../ledger/proof/proof-moves.ts";
import type { EventRecord } from "../ledger/event-record.ts";

/** Basis points. */
export interface Contradiction {
  epoch: number;
  /** observed: read from the account. sampled: from a public history. */
  of: "observed" | "sampled";
  claimed: number;
  /** The commission that the transactions leave; null: they changed nothing. */
  proved: number | null;
}

/**
 * Commissions that proved transactions contradict. Reopened accounts are among them: no authority
 * signs their new rate.
 */
export function findContradictions(ledger: Ledger, validatorIndex: number): Contradiction[] {
  const own = ledger.events.filter((event) => event.validatorIndex === validatorIndex);
  return [
    ...findUnexplained(ledger, validatorIndex, own),
    ...findOtherSamples(ledger, validatorIndex),
  ];
}

/** Commissions, of all validators, that proved transactions contradict. */
export function countContradictions(ledger: Ledger): number {
  const events = Map.groupBy(ledger.events, ({ validatorIndex }) => validatorIndex);
  const countOf = (validatorIndex: number) =>
    findUnexplained(ledger, validatorIndex, events.get(validatorIndex) ?? []).length +
    findOtherSamples(ledger, validatorIndex).length;
  return ledger.validators.reduce((count, _, validatorIndex) => count + countOf(validatorIndex), 0);
}

function findUnexplained(
  ledger: Ledger,
  validatorIndex: number,
  events: readonly EventRecord[],
): Contradiction[] {
  const validator = ledger.validators[validatorIndex];
  if (validator === undefined || events.length === 0) return [];
  const moves = toMoves(validator);
  const isUnexplained = ({ source, confirmed, transaction, previousSlot, slot }: EventRecord) =>
    source === "COMMISSION" &&
    confirmed &&
    transaction === null &&
    previousSlot !== null &&
    isCovered(validator, { after: previousSlot, upTo: slot });
  return events.filter(isUnexplained).flatMap(({ epoch, to, slot, previousSlot }) => {
    const last = moves.findLast((move) => move.slot > (previousSlot ?? slot) && move.slot <= slot);
    if (typeof to !== "number" || last?.to === to || (last?.to === null && last.ends.includes(to)))
      return [];
    return [{ epoch, of: "observed" as const, claimed: to, proved: last?.to ?? null }];
  });
}

function findOtherSamples(ledger: Ledger, validatorIndex: number): Contradiction[] {
  const validator = ledger.validators[validatorIndex];
  if (validator === undefined || validator.history === null) return [];
  const moves = toMoves(validator);
  return moves.flatMap(({ epoch, slot, to }, index) => {
    const sampled = getU16(ledger.history.inflation, epoch, validatorIndex);
    const [before, after] = [moves[index - 1], moves[index + 1]];
    if (sampled === null || before === undefined || before.epoch === epoch || to === null)
      return [];
    if (after?.epoch === epoch || !isCovered(validator, { after: before.slot, upTo: slot }))
      return [];
    const exact = isWholePercent(ledger, epoch);
    const isExplained = [before.to, to].some(
      (basisPoints) =>
        basisPoints === null ||
        agrees({ basisPoints, exact: true }, { basisPoints: sampled, exact }),
    );
    return isExplained ? [] : [{ epoch, of: "sampled" as const, claimed: sampled, proved: to }];
  });
}
