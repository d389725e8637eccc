import { LOCATION_CHANGES_MAX, type LocationChange } from "../contract/location.ts";
import type { DocumentOf } from "../contract/objects.ts";
import type { LocationMove } from "../ledger/locations.ts";
import { toPlace } from "./validator-item.ts";
import { findRecord, type View } from "./view.ts";

/** Where a validator's node is and was (endpoint 7); null: not known, or never located. */
export function renderLocation(view: View, votePubkey: string): DocumentOf<"location"> | null {
  const record = findRecord(view, votePubkey)?.record;
  const location = record?.location ?? null;
  if (record === undefined || location === null) return null;
  const { asn, asnOrganization } = location;
  const changes = record.moves.toReversed().slice(0, LOCATION_CHANGES_MAX).map(toChange);
  return {
    data: { current: { ...toPlace(location), asn, asnOrganization }, changes },
    meta: { network: view.ledger.network, votePubkey },
  };
}

function toChange({ at, from, to }: LocationMove): LocationChange {
  return {
    dataCenter: to.dataCenter,
    city: to.city,
    previousDataCenter: from.dataCenter,
    previousCity: from.city,
    detectedAt: at,
  };
}
