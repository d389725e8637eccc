import { useTitle } from "../../app/title.ts";
import { toAddress } from "../../app/url.ts";
import { useUrl } from "../../app/use-url.ts";

/** No page has this address. */
export function NotFound() {
  const { path, network } = useUrl();
  useTitle("Not found");
  return (
    <section class="notice" aria-labelledby="not-found">
      <h1 id="not-found">There is no page here</h1>
      <p>
        Nothing lies at <code class="breakable">{path}</code>. The address may have been cut when it was copied.
      </p>
      <p>
        <a class="button" href={toAddress("/", { network })}>
          See what changes now
        </a>
      </p>
    </section>
  );
}
