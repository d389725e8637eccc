import { useMemo } from "preact/hooks";
import type { Validator } from "../../../generator/contract/validator.ts";
import { allValidators } from "../../api/all-validators.ts";
import { documents } from "../../api/documents.ts";
import { type Reading, useDocument, useSource } from "../../api/use-document.ts";
import { type Query, readChoice, readWhole } from "../../format/url.ts";
import { useUrl } from "../../parts/use-url.ts";
import { FIRST_ORDER, type Marks, type Order, type Sort, SORTS, sortValidators } from "./sorting.ts";

/** What the address says of the list. */
export interface View {
  page: number;
  limit: number;
  sort: Sort;
  order: Order;
}

export const LIMITS = [25, 50, 100] as const;
export const DEFAULT_LIMIT = 50;
/** As the API sorts. */
const DEFAULT_SORT: Sort = "stake";
/** Far above what any cluster has; a page past the end says so. */
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

/** Whether the list is as the API has it, so that one page of it is enough. */
export function isByRank({ sort, order }: Pick<View, "sort" | "order">): boolean {
  return sort === DEFAULT_SORT && order === FIRST_ORDER[DEFAULT_SORT];
}

/** Parameters that sort by something, from the first page on; by what it is sorted already, the other way round. */
export function toSortParameters(now: Pick<View, "sort" | "order">, sort: Sort): Record<string, string | null> {
  const other = now.order === "asc" ? "desc" : "asc";
  return toOrderParameters(sort, now.sort === sort ? other : FIRST_ORDER[sort]);
}

export function toOrderParameters(sort: Sort, order: Order): Record<string, string | null> {
  return { sort: sort === DEFAULT_SORT ? null : sort, order: order === FIRST_ORDER[sort] ? null : order, page: null };
}

/** Parameter of a page; the first is left out. */
export function toPageParameter(page: number): { page: number | null } {
  return { page: page === 1 ? null : page };
}

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
