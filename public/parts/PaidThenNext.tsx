import type { Validator } from "../../generator/contract/validator.ts";
import { NOT_KNOWN, toPercent } from "../format/values.ts";

type Rates = Pick<Validator, "commission" | "appliedCommission" | "nextAppliedCommission">;

/** What this epoch pays and, where that changes, what comes. */
export function PaidThenNext({ of }: { of: Rates }) {
  const rates = toRates(of);
  if (rates === null) return <span class="quiet">{NOT_KNOWN}</span>;
  const [paid, next] = rates;
  return (
    <span class="rates-then">
      <strong>{toPercent(paid)}</strong>
      {next !== null && (
        <>
          {" "}
          <span aria-hidden="true">→</span>
          <span class="visually-hidden">, then</span> {toPercent(next)}
        </>
      )}
    </span>
  );
}

/**
 * Percent. The next rate is that of the next epoch or, where that is the same or not known, the
 * announced one; null: no other. A new validator pays nothing yet: its first rate leads. null: none
 * is known.
 */
export function toRates({
  commission,
  appliedCommission,
  nextAppliedCommission,
}: Rates): [paid: number, next: number | null] | null {
  const inOrder = [appliedCommission, nextAppliedCommission, commission];
  const [paid, ...later] = inOrder.filter((rate) => rate !== null);
  if (paid === undefined) return null;
  return [paid, later.find((rate) => rate !== paid) ?? null];
}
