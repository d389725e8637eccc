import type { Location, ValidatorRecord } from "../../ledger/records.ts";
import type { View } from "../view.ts";
import { tableOf, type Table } from "./table.ts";

interface Row extends Location {
  votePubkey: string;
  activeStakeLamports: bigint;
}

const toTable = tableOf<"locations", Row>("locations", {});

/** Where the listed validators are now, by rank; those whose place is not known are left out. */
export function toLocationsTable(view: View): Table | null {
  if (view.latestEpoch === null) return null;
  return toTable(view.listed().flatMap(toRows));
}

function toRows({ vote, activeStake, location }: ValidatorRecord): Row[] {
  return location === null
    ? []
    : [{ ...location, votePubkey: vote, activeStakeLamports: activeStake }];
}
