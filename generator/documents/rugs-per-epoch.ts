import type { DocumentOf } from "../contract/objects.ts";
import { PARAMETERS } from "../contract/parameters.ts";
import type { View } from "./view.ts";

/** RUG events by epoch at its defaults: the newest page, oldest epoch first (endpoint 10). The proxy makes the others. */
export function renderRugsPerEpoch(view: View): DocumentOf<"rugsPerEpoch"> {
  const epochs = PARAMETERS.epochsPerPage.default;
  const { rows, global } = view.rugs();
  const { network } = view.ledger;
  return {
    data: rows.slice(-epochs),
    meta: {
      network,
      latestEpoch: view.latestEpoch,
      epochs,
      offset: PARAMETERS.offset.default,
      total: rows.length,
      global,
    },
  };
}
