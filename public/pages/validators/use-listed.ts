import { useMemo } from "preact/hooks";
import type { Validator } from "../../../generator/contract/validator.ts";
import { allValidators } from "../../api/all-validators.ts";
import { documents } from "../../api/documents.ts";
import { useDocument, useSource, type Reading } from "../../api/use-document.ts";
import { useUrl } from "../../app/use-url.ts";
import type { Marks } from "./marks.ts";
import { sortValidators } from "./sorting.ts";
import { isByRank, type View } from "./view.ts";

/** What is shown of the list, from whichever documents. */
export interface Listed {
  rows: Validator[];
  /** Validators of the whole list. */
  total: number;
  /** Of those that were sorted; null: of all, by the API itself. */
  sorted: { count: number; isMixed: boolean } | null;
  snapshotAt: string | null;
}

/** One page of the API where it sorts; where it does not, all of them, for to sort one page would be to lie. */
export function useListed(view: View, marks: ReadonlyMap<string, Marks> | null): Reading<Listed> {
  const { network } = useUrl();
  const { page, limit, sort, order } = view;
  const isRanked = isByRank(view);
  const one = useDocument(isRanked ? documents.validators(network, { page, limit }) : null);
  const all = useSource(isRanked ? null : allValidators(network));
  const sorted = useMemo(
    () => all.held && sortValidators(all.held.document.data, { sort, order }, marks ?? undefined),
    [all.held, sort, order, marks],
  );
  if (isRanked) {
    return toReading(one, ({ data, meta: { total, snapshotAt } }) => ({ rows: data, total, sorted: null, snapshotAt }));
  }
  return toReading(all, ({ data, meta: { total, snapshotAt, isMixed } }) => ({
    rows: (sorted ?? []).slice((page - 1) * limit, page * limit),
    total,
    sorted: { count: data.length, isMixed },
    snapshotAt,
  }));
}

function toReading<From, To>(reading: Reading<From>, to: (document: From) => To): Reading<To> {
  const { held } = reading;
  return { ...reading, held: held && { isStale: held.isStale, document: to(held.document) } };
}
