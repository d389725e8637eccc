import type { DocumentOf } from "../contract/objects.ts";
import { PARAMETERS } from "../contract/parameters.ts";
import { toStake } from "./numbers.ts";
import type { View } from "./view.ts";

/** The list of validators at its defaults (endpoint 1): the first page. The proxy makes the others from the index. */
export function renderValidators(view: View): DocumentOf<"validators"> {
  const { ledger } = view;
  const { page, limit } = { page: PARAMETERS.page.default, limit: PARAMETERS.limit.default };
  const total = view.listed().length;
  return {
    data: view.items().slice(0, limit),
    meta: {
      network: ledger.network,
      page,
      limit,
      total,
      totalPages: Math.ceil(total / limit),
      networkStake: toStake(ledger.listedStake),
      snapshotAt: ledger.snapshot?.time ?? null,
    },
  };
}
