import { useMemo } from "preact/hooks";
import type { Validator } from "../../../generator/contract/validator.ts";
import { allValidators } from "../../api/all-validators.ts";
import { documents } from "../../api/documents.ts";
import { type Resource, useDocument, useLoader } from "../../api/use-document.ts";
import { type Query, readChoice, readWhole } from "../../format/url.ts";
import { useUrl } from "../../parts/use-url.ts";
import { FIRST_ORDER, type Order, type Sort, SORTS, sortValidators } from "./sorting.ts";
import { type Filter, isFiltered, isWithin } from "./filter.ts";

export interface View {
  page: number;
  limit: number;
  sort: Sort;
  order: Order;
}

export const LIMITS = [25, 50, 100] as const;
export const DEFAULT_LIMIT = 50;
const DEFAULT_SORT: Sort = "stake";
const PAGE_MAX = 100_000;

export function readView(query: Query): View {
  const limit = Number(query["limit"]);
  const sort = readChoice(query["sort"], SORTS, DEFAULT_SORT);
  return {
    page: readWhole(query["page"], { min: 1, max: PAGE_MAX, otherwise: 1 }),
    limit: LIMITS.find((choice) => choice === limit) ?? DEFAULT_LIMIT,
    sort,
    order: readChoice(query["order"], ["asc", "desc"], FIRST_ORDER[sort]),
  };
}

export function isByRank({ sort, order }: Pick<View, "sort" | "order">): boolean {
  return sort === DEFAULT_SORT && order === FIRST_ORDER[DEFAULT_SORT];
}

export function toSortParameters(
  now: Pick<View, "sort" | "order">,
  sort: Sort,
): Record<string, string | null> {
  const other = now.order === "asc" ? "desc" : "asc";
  return toOrderParameters(sort, now.sort === sort ? other : FIRST_ORDER[sort]);
}

export function toOrderParameters(sort: Sort, order: Order): Record<string, string | null> {
  return {
    sort: sort === DEFAULT_SORT ? null : sort,
    order: order === FIRST_ORDER[sort] ? null : order,
    page: null,
  };
}

export function toPageParameter(page: number): { page: number | null } {
  return { page: page === 1 ? null : page };
}

export interface Listed {
  rows: Validator[];
  total: number;
  sorted: { count: number; isMixed: boolean } | null;
  /** Of how many the others are left out; null: of none. */
  filteredFrom: number | null;
  snapshotAt: string | null;
}

/** Sorting or filtering one page alone would mislead. */
export function useListed(view: View, filter: Filter): Resource<Listed> {
  const { network } = useUrl();
  const { page, limit, sort, order } = view;
  const isRanked = isByRank(view) && !isFiltered(filter);
  const one = useDocument(isRanked ? documents.validators(network, { page, limit }) : null);
  const all = useLoader(isRanked ? null : allValidators(network));
  const asked = JSON.stringify(filter);
  const sorted = useMemo(() => {
    const wanted = JSON.parse(asked) as Filter;
    return (
      all.held &&
      sortValidators(
        all.held.document.data.filter((validator) => isWithin(validator, wanted)),
        { sort, order },
      )
    );
  }, [all.held, sort, order, asked]);
  if (isRanked) {
    return toResource(one, ({ data, meta: { total, snapshotAt } }) => ({
      rows: data,
      total,
      sorted: null,
      filteredFrom: null,
      snapshotAt,
    }));
  }
  return toResource(all, ({ data, meta: { total, snapshotAt, isMixed } }) => ({
    rows: (sorted ?? []).slice((page - 1) * limit, page * limit),
    total: isFiltered(filter) ? (sorted ?? []).length : total,
    sorted: { count: (sorted ?? []).length, isMixed },
    filteredFrom: isFiltered(filter) ? data.length : null,
    snapshotAt,
  }));
}

function toResource<From, To>(resource: Resource<From>, to: (document: From) => To): Resource<To> {
  const { held } = resource;
  return { ...resource, held: held && { ...held, document: to(held.document) } };
}
