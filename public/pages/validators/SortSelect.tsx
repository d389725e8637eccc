import { useUrl } from "../../app/use-url.ts";
import { SORTS, type Order, type Sort } from "./sorting.ts";
import { toOrderParameters, type View } from "./view.ts";

/** What a list is sorted by, in words. */
export const ORDER_WORDS = {
  stake: { desc: "most stake first", asc: "least stake first" },
  name: { asc: "names from A to Z", desc: "names from Z to A" },
  commission: { desc: "highest commission first", asc: "lowest commission first" },
  client: { asc: "clients from A to Z", desc: "clients from Z to A" },
  location: { asc: "countries from A to Z", desc: "countries from Z to A" },
  changes: { desc: "most changes first", asc: "fewest changes first" },
  delinquent: { desc: "longest delinquent first", asc: "voting first" },
} as const satisfies Record<Sort, Record<Order, string>>;

const CHOICES = SORTS.flatMap((sort) =>
  (Object.keys(ORDER_WORDS[sort]) as Order[]).map((order) => ({ sort, order, value: `${sort} ${order}` })),
);

/** What the heads of the columns do, where a narrow screen has no columns. */
export function SortSelect({ view }: { view: Pick<View, "sort" | "order"> }) {
  const { change } = useUrl();
  const choose = (value: string) => {
    const chosen = CHOICES.find((choice) => choice.value === value);
    if (chosen !== undefined) change(toOrderParameters(chosen.sort, chosen.order));
  };
  return (
    <label class="sort-select">
      Sort{" "}
      <select value={`${view.sort} ${view.order}`} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {CHOICES.map(({ sort, order, value }) => (
          <option key={value} value={value}>
            {ORDER_WORDS[sort][order]}
          </option>
        ))}
      </select>
    </label>
  );
}
