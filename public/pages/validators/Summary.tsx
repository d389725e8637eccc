import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCount, toCounted } from "../../format/amounts.ts";
import { Ago } from "../../parts/Ago.tsx";
import { ORDER_WORDS } from "./SortSelect.tsx";
import type { Listed } from "./use-listed.ts";
import { toPageParameter, type View } from "./view.ts";

/** Which validators these are, in what order, as of when, and what may be missing among them. */
export function Summary({ view, listed }: { view: View; listed: Listed }) {
  const { rows, total, sorted, snapshotAt } = listed;
  const first = (view.page - 1) * view.limit + 1;
  if (rows.length === 0) return <PastTheEnd view={view} total={sorted?.count ?? total} />;
  return (
    <p class="note list-summary" role="status">
      {toCount(first)} to {toCount(first + rows.length - 1)} of {toCounted(sorted?.count ?? total, "validator")},{" "}
      {ORDER_WORDS[view.sort][view.order]}
      {sorted !== null && sorted.count < total && !sorted.isMixed && (
        <>: sorted are those with the most stake, of {toCount(total)} in all</>
      )}
      .{" "}
      {snapshotAt !== null && (
        <>
          Snapshot <Ago time={snapshotAt} />.{" "}
        </>
      )}
      {sorted?.isMixed === true &&
        "A new snapshot is just coming in: for some minutes a validator may be missing here."}
    </p>
  );
}

function PastTheEnd({ view, total }: { view: View; total: number }) {
  const { path, query } = useUrl();
  const last = Math.ceil(total / view.limit);
  return (
    <p class="state">
      There is no page {toCount(view.page)}: the list ends with{" "}
      <a href={toAddress(path, { ...query, ...toPageParameter(last) })}>page {toCount(last)}</a>.
    </p>
  );
}
