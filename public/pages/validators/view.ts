import { readChoice, readWhole, type Query } from "../../app/url.ts";
import { FIRST_ORDER, SORTS, type Order, type Sort } from "./sorting.ts";

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
export const DEFAULT_SORT: Sort = "stake";
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
