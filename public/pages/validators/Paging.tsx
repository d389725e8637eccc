import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";
import { toCount } from "../../format/amounts.ts";
import { DEFAULT_LIMIT, LIMITS, toPageParameter, type View } from "./view.ts";

/** From page to page, and how many rows one has. Links, so that a page can be opened beside this one. */
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

/** null: there is no such page, and the link stays as a word so that the others keep their places. */
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

/** Whether a click is one that the router takes: the links are below the list, and a page is read from its top. */
function opensHere({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}
