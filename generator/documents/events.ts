import type { CommissionEvent } from "../contract/event.ts";
import type { DocumentOf } from "../contract/objects.ts";
import { PARAMETERS } from "../contract/parameters.ts";
import type { View } from "./view.ts";

/** The feed of events at its defaults, newest first (endpoint 8). The proxy makes the others from the index. */
export function renderEvents(view: View): DocumentOf<"events"> {
  const epochs = PARAMETERS.epochs.default;
  const data = eventsOfNewest(view, epochs);
  const { latestEpoch } = view;
  return { data, meta: { network: view.ledger.network, total: data.length, latestEpoch, epochs, severity: null } };
}

/** The events of so many epochs up to the newest tracked one, newest first. */
export function eventsOfNewest(view: View, epochs: number): CommissionEvent[] {
  const { latestEpoch } = view;
  return latestEpoch === null ? [] : view.events().filter(({ epoch }) => epoch > latestEpoch - epochs);
}
