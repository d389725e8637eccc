import { newestRate } from "../../generator/ledger/rates/timeline.ts";
import { newestTip } from "../../generator/ledger/tips/timeline.ts";
import { FIRST_EPOCH, slotAt } from "./clock.ts";
import { type StoryItem, foldStory, type Outcome } from "./fold.ts";
import { keyOf } from "./validators.ts";

/** "+" accepted, "-" refused, for each entry. */
export const acceptanceOf = (...entries: StoryItem[]): string =>
  foldStory(...entries)
    .accepted.map(({ accepted }) => (accepted ? "+" : "-"))
    .join("");

/** As "RUG 500→10000 in 1" or "MEV RUG 800→9500 in 1". */
export const eventsOf = (...entries: StoryItem[]): string[] => eventsIn(foldStory(...entries));

export function eventsIn({ ledger }: Pick<Outcome, "ledger">): string[] {
  return ledger.events.map(({ validatorIndex, source, severity, from, to, epoch }) => {
    const ofOther = ledger.validators[validatorIndex]?.vote === keyOf("A") ? "" : " of another";
    return `${source === "MEV" ? "MEV " : ""}${severity} ${from}→${to} in ${epoch - FIRST_EPOCH}${ofOther}`;
  });
}

/** By slot, as "500→10000 in 0: signature at 2850, swept". */
export function provedEventsOf(...entries: StoryItem[]): string[] {
  return provedEventsIn(foldStory(...entries));
}

export function provedEventsIn({ ledger }: Pick<Outcome, "ledger">): string[] {
  const slotOf = (event: (typeof ledger.events)[number]) => event.transaction?.slot ?? event.slot;
  return [...ledger.events]
    .sort((a, b) => slotOf(a) - slotOf(b))
    .map(({ from, to, epoch, transaction, isSwept, replacedBy }) => {
      const proof =
        transaction === null
          ? "unproved"
          : `${transaction.verified} at ${transaction.slot - slotAt(0)}`;
      const marks = [...(isSwept ? ["swept"] : []), ...(replacedBy === null ? [] : ["replaced"])];
      return [`${from}→${to} in ${epoch - FIRST_EPOCH}: ${proof}`, ...marks].join(", ");
    });
}

export function validatorOf({ ledger }: Pick<Outcome, "ledger">, name: string) {
  const validatorIndex = ledger.validatorIndexes.get(keyOf(name));
  const validator = validatorIndex === undefined ? undefined : ledger.validators[validatorIndex];
  if (validatorIndex === undefined || validator === undefined)
    throw new Error(`the story has no validator ${name}`);
  const [rate, tip] = [newestRate(validator), newestTip(validator)];
  const inflation = rate === null ? null : { basisPoints: rate.basisPoints, exact: rate.exact };
  return {
    validatorIndex,
    ...validator,
    inflation,
    mev: tip?.rate ?? null,
    mevEpoch: tip?.until ?? null,
  };
}
