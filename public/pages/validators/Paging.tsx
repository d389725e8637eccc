import { toAddress } from "../../format/url.ts";
import { toCount, toCounted } from "../../format/values.ts";
import { useUrl } from "../../parts/use-url.ts";
import { Ago } from "../../parts/values.tsx";
import { type Order, type Sort, SORTS } from "./sorting.ts";
import {
  DEFAULT_LIMIT,
  LIMITS,
  type Listed,
  toOrderParameters,
  toPageParameter,
  type View,
} from "./view.ts";

export const ORDER_WORDS = {
  stake: { desc: "most stake first", asc: "least stake first" },
  name: { asc: "names from A to Z", desc: "names from Z to A" },
  verdict: { desc: "worst verdicts first", asc: "best verdicts first" },
  commission: { desc: "highest announced first", asc: "lowest announced first" },
  applied: { desc: "highest commission first", asc: "lowest commission first" },
  mev: { desc: "highest MEV commission first", asc: "lowest MEV commission first" },
  client: { asc: "clients from A to Z", desc: "clients from Z to A" },
  location: { asc: "countries from A to Z", desc: "countries from Z to A" },
  delinquent: { desc: "longest delinquent first", asc: "voting first" },
} as const satisfies Record<Sort, Record<Order, string>>;

const CHOICES = SORTS.flatMap((sort) =>
  (Object.keys(ORDER_WORDS[sort]) as Order[]).map((order) => ({
    sort,
    order,
    value: `${sort} ${order}`,
  })),
);

export function SortSelect({ view }: { view: Pick<View, "sort" | "order"> }) {
  const { change } = useUrl();
  const choose = (value: string) => {
    const chosen = CHOICES.find((choice) => choice.value === value);
    if (chosen !== undefined) change(toOrderParameters(chosen.sort, chosen.order));
  };
  return (
    <label class="sort-select">
      Sort{" "}
      <select
        value={`${view.sort} ${view.order}`}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {CHOICES.map(({ sort, order, value }) => (
          <option key={value} value={value}>
            {ORDER_WORDS[sort][order]}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Summary({ view, listed }: { view: View; listed: Listed }) {
  const { rows, total, sorted, filteredFrom, snapshotAt } = listed;
  const first = (view.page - 1) * view.limit + 1;
  if (total === 0)
    return (
      <p class="state" role="status">
        None of {toCounted(filteredFrom ?? 0, "validator")} is so. Choose less strictly.
      </p>
    );
  if (rows.length === 0) return <PastTheEnd view={view} total={sorted?.count ?? total} />;
  return (
    <p class="note list-summary" role="status">
      {toCount(first)} to {toCount(first + rows.length - 1)} of{" "}
      {toCounted(sorted?.count ?? total, "validator")}
      {filteredFrom !== null && <> chosen from {toCount(filteredFrom)}</>}
      {sorted !== null && sorted.count < total && !sorted.isMixed && (
        <> of those with the most stake, out of {toCount(total)} in all</>
      )}
      .{" "}
      {snapshotAt !== null && (
        <>
          Snapshot <Ago time={snapshotAt} />.{" "}
        </>
      )}
      {sorted?.isMixed === true &&
        "A new snapshot is arriving: a validator may be missing here for some minutes."}
    </p>
  );
}

function PastTheEnd({ view, total }: { view: View; total: number }) {
  const { path, query } = useUrl();
  const last = Math.ceil(total / view.limit);
  return (
    <p class="state">
      There is no page {toCount(view.page)}. Go to the last one,{" "}
      <a href={toAddress(path, { ...query, ...toPageParameter(last) })}>page {toCount(last)}</a>.
    </p>
  );
}

/** Links open in a new tab, too. */
export function Paging({ view: { page, limit }, total }: { view: View; total: number }) {
  const { change } = useUrl();
  const last = Math.max(1, Math.ceil(total / limit));
  return (
    <div class="paging">
      <nav class="paging-links" aria-label="Pages of the list">
        <PageLink name="First" to={page > 1 ? 1 : null} />
        <PageLink name="Previous" to={page > 1 ? Math.min(page - 1, last) : null} />
        <span class="paging-now">
          Page {toCount(page)} of {toCount(last)}
        </span>
        <PageLink name="Next" to={page < last ? page + 1 : null} />
        <PageLink name="Last" to={page < last ? last : null} />
      </nav>
      <label>
        Rows{" "}
        <select
          value={String(limit)}
          onChange={({ currentTarget: { value } }) =>
            change({ limit: value === String(DEFAULT_LIMIT) ? null : value, page: null })
          }
        >
          {LIMITS.map((choice) => (
            <option key={choice} value={String(choice)}>
              {choice}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** null: the word stays, or the other links would move. */
function PageLink({ name, to }: { name: string; to: number | null }) {
  const { path, query } = useUrl();
  if (to === null) {
    return (
      <span class="button button-off" aria-hidden="true">
        {name}
      </span>
    );
  }
  return (
    <a
      class="button"
      href={toAddress(path, { ...query, ...toPageParameter(to) })}
      aria-label={`${name} page`}
      onClick={(event) => opensHere(event) && scrollTo(0, 0)}
    >
      {name}
    </a>
  );
}

/** The router handles the click. */
function opensHere({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
