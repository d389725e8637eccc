import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { toSentence } from "../api/client.ts";
import { isLimit, troubles } from "../api/use-document.ts";
import { DEFAULT_NETWORK, toAddress } from "../format/url.ts";
import { Failed } from "../parts/Failed.tsx";
import { ownTitle, useTitle, useUrl } from "../parts/use-url.ts";
import { isLocal } from "../parts/zone.ts";
import { Header } from "./Header.tsx";
import { PAGES } from "./pages.ts";

/** The router's; documents are the browser's. */
const PAGES_ONLY = /^\/(?!api\/v1\/|feeds\/|exports\/)/;

/** What frames every page, and the page of the address. */
export function App() {
  return (
    <LocationProvider scope={PAGES_ONLY}>
      <a class="skip-link" href="#main">
        Skip to the content
      </a>
      <Header />
      <Main />
      <Footer />
    </LocationProvider>
  );
}

function Main() {
  const { path, network } = useUrl();
  useFeedLinks(network);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const title = [ownTitle.value ?? toTitle(path), ...(network === DEFAULT_NETWORK ? [] : [network])].join(" · ");
  useEffect(() => {
    document.title = `${title} · Rugwatch`;
  }, [title]);
  useEffect(() => {
    // Keyboards and screen readers go on from the new page.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  return (
    <main id="main" class="main" tabIndex={-1} ref={main}>
      <Outage />
      <Failed of={path} instead={<PageFailed />}>
        <ErrorBoundary>
          <Router>
            {(isReadable(path) ? PAGES : []).map((page) => (
              <Route key={page.path} path={page.path} component={page.component} />
            ))}
            <Route default component={NotFound} />
          </Router>
        </ErrorBoundary>
      </Failed>
    </main>
  );
}

function PageFailed() {
  return (
    <section class="notice" role="alert">
      <h1>This page failed</h1>
      <p>It could not be loaded or shown. The other pages still work.</p>
      <p>
        <button type="button" class="button" onClick={() => location.reload()}>
          Load it again
        </button>
      </p>
    </section>
  );
}

function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function toTitle(path: string): string {
  const first = path.split("/")[1] ?? "";
  return PAGES.find((page) => page.path.split("/")[1] === first)?.title ?? "Not found";
}

/** Says once why the page cannot be read, instead of each block. */
function Outage() {
  const [first] = troubles.value;
  if (first === undefined) return null;
  return (
    <div class="outage" role="alert">
      <p>
        <strong>Not everything could be read.</strong> {toSentence(first.problem)}{" "}
        {isLimit(first.problem) && "What is missing comes by itself then."}
      </p>
      {!isLimit(first.problem) && (
        <button type="button" class="button" onClick={reloadAll}>
          Try again
        </button>
      )}
    </div>
  );
}

function reloadAll(): void {
  for (const { reload } of troubles.peek()) reload();
}

function Footer() {
  const { network } = useUrl();
  return (
    <footer class="footer">
      <p>
        Open data, read-only, no account. Times are {isLocal.value ? "those of your clock" : "UTC"}.{" "}
        <button type="button" class="link-button" onClick={() => (isLocal.value = !isLocal.value)}>
          Show {isLocal.value ? "UTC" : "local time"}
        </button>
      </p>
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

function NotFound() {
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

/** index.html names the feeds of mainnet, for readers that run no script; here they become those of the network. */
function useFeedLinks(network: Network): void {
  useEffect(() => {
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="alternate"]')) {
      link.href = new URL(link.href).pathname.replace(/^\/feeds\/\w+/, `/feeds/${network}`);
      link.title = link.title.replace(/\w+$/, network);
    }
  }, [network]);
}
