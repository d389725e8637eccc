import { toAddress } from "./url.ts";
import { useUrl } from "./use-url.ts";

/** What stands below every page: what this is, and where else it can be had. */
export function Footer() {
  const { network } = useUrl();
  return (
    <footer class="footer">
      <p>Open data, read-only, no account. Times are UTC.</p>
      <nav class="footer-links" aria-label="Ways to the data">
        <a href={toAddress("/api", { network })}>API reference</a>
        <a href="/api/v1/openapi.json">OpenAPI description</a>
        <a href={toAddress("/api", { section: "feeds", network })}>Feeds</a>
        <a href={toAddress("/api", { section: "downloads", network })}>Downloads</a>
        <a href={toAddress("/status", { network })}>How fresh it is</a>
      </nav>
    </footer>
  );
}
