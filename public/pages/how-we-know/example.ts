import type { CommissionEvent } from "../../../generator/contract/event.ts";

/** The newest change with the strongest proof, a RUG where there is one; null: none is proved. */
export function findExample<Event extends Partial<CommissionEvent>>(
  events: readonly Event[],
): Event | null {
  const proved = events.filter(
    ({ transaction, replacedBy }) => replacedBy === null && transaction?.verifiedBy === "signature",
  );
  return proved.find(({ severity }) => severity === "RUG") ?? proved[0] ?? null;
}
