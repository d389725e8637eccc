import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { toBetween } from "../../format/check.ts";
import { toDuration } from "../../format/values.ts";

/** Two observations, of which one was missed. */
const USUAL_MILLISECONDS = 2 * 60_000;

/**
 * The newest change with the strongest proof, a RUG where there is one, and one that was observed as
 * closely as usual where there is one of these; null: none is proved.
 */
export function findExample(events: readonly CommissionEvent[]): CommissionEvent | null {
  const proved = events.filter(
    ({ transaction, replacedBy }) => replacedBy === null && transaction?.verifiedBy === "signature",
  );
  const rugs = proved.filter(({ severity }) => severity === "RUG");
  const best = rugs.length > 0 ? rugs : proved;
  const isClose = (event: CommissionEvent) => toWindow(event) <= USUAL_MILLISECONDS;
  return best.find(isClose) ?? best[0] ?? null;
}

/** null: both rates were observed as closely as usual, or nobody observed the old one. */
export function toWindowText(event: CommissionEvent): string | null {
  const milliseconds = toWindow(event);
  if (milliseconds <= USUAL_MILLISECONDS || milliseconds === Infinity) return null;
  return `No answer that counts came for ${toDuration(milliseconds)}, longer than usual: the slot of the transaction says when the rate changed.`;
}

/** Between the last sight of the old rate and the first of the new one; Infinity: not known. */
function toWindow(event: CommissionEvent): number {
  return toBetween(event)?.milliseconds ?? Infinity;
}
