import type { CommissionEvent } from "../../generator/contract/event.ts";
import { isRise, SOURCE_NAMES, toSides } from "../format/commissions.ts";

/** What was changed, from what to what: "Inflation 5 % → 100 %". */
export function Change({ event }: { event: CommissionEvent }) {
  const [from, to] = toSides(event);
  return (
    <span class={isRise(event) ? "change change-rise" : "change"}>
      <span class="change-source">{SOURCE_NAMES[event.source]}</span> {from} <span aria-hidden="true">→</span>
      <span class="visually-hidden"> to </span> <strong>{to}</strong>
      {!event.confirmed && <span class="quiet"> unconfirmed</span>}
    </span>
  );
}
