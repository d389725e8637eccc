import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { toSentence } from "../api/client.ts";
import { troubles } from "../api/use-document.ts";
import { DEFAULT_NETWORK, toAddress } from "../format/url.ts";
import { AnswerLink } from "../parts/AnswerLink.tsx";
import { Failed } from "../parts/Failed.tsx";
import { FindValidator } from "../parts/FindValidator.tsx";
import { ownTitle, useTitle, useUrl } from "../parts/use-url.ts";
import { isLocal } from "../parts/zone.ts";
import { Header } from "./Header.tsx";
import { PAGES } from "./pages.ts";

/** The browser opens documents itself. */
const PAGES_ONLY = /^\/(?!api\/v1\/|feeds\/|exports\/|badges\/|pages\/)/;

export function App() {
  return (
    <LocationProvider scope={PAGES_ONLY}>
      <a class="skip-link" href="#main">
        Skip to content
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
  useCanonical();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const title = [
    ownTitle.value ?? toTitle(path),
    ...(network === DEFAULT_NETWORK ? [] : [network]),
  ].join(" · ");
  useEffect(() => {
    document.title = `${title} · Rugwatch`;
  }, [title]);
  useEffect(() => {
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
      <p>It did not load. The other pages still work: load it again, or open another one.</p>
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

function Outage() {
  const [first] = troubles.value;
  if (first === undefined) return null;
  const { problem, endsAt } = first;
  return (
    <div class="outage" role="alert">
      <p>
        <strong>{endsAt === null ? "Some data is missing." : "Too many requests."}</strong>{" "}
        {endsAt === null ? toSentence(problem) : <LoadsIn endsAt={endsAt} />}
      </p>
      {endsAt === null && (
        <button type="button" class="button" onClick={reloadAll}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Screen readers hear of it once, and not of each second. */
function LoadsIn({ endsAt }: { endsAt: number }) {
  const [left, setLeft] = useState(endsAt - performance.now());
  useEffect(() => {
    const timer = setInterval(() => setLeft(endsAt - performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [endsAt]);
  const seconds = Math.max(1, Math.ceil(left / 1_000));
  return <span aria-live="off">The rest loads in {seconds} s.</span>;
}

function reloadAll(): void {
  for (const { reload } of troubles.peek()) reload();
}

function Footer() {
  const { network } = useUrl();
  return (
    <footer class="footer">
      <p>
        Open data, read-only, no account. Times are in {isLocal.value ? "your time zone" : "UTC"}.{" "}
        <button type="button" class="link-button" onClick={() => (isLocal.value = !isLocal.value)}>
          Show {isLocal.value ? "UTC" : "local time"}
        </button>
      </p>
      <nav class="footer-links" aria-label="Data and help">
        <a href={toAddress("/api", { network })}>API reference</a>
        <a href="/api/v1/openapi.json">OpenAPI description</a>
        <a href={toAddress("/api", { section: "feeds", network })}>Feeds</a>
        <a href={toAddress("/api", { section: "downloads", network })}>Downloads</a>
        <a href={toAddress("/how-we-know", { network })}>How we know</a>
        <a href={`${toAddress("/status", { network })}#journal`}>Head of the journal</a>
        <a href={toAddress("/status", { network })}>Status</a>
        <a href={toAddress("/glossary", { network })}>Glossary</a>
        <AnswerLink votePubkey={null} event={null}>
          Accused wrongly?
        </AnswerLink>
        {REPOSITORY_URL !== undefined && (
          <>
            <a href={REPOSITORY_URL}>Source</a>
            <a href={`${REPOSITORY_URL}/blob/HEAD/LICENSE`}>MIT licence</a>
          </>
        )}
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
        The site has no page <code class="breakable">{path}</code>. Check that you copied the whole
        address.
      </p>
      <FindValidator />
      <p>
        <a class="button" href={toAddress("/", { network })}>
          See the newest changes
        </a>
      </p>
    </section>
  );
}

/** index.html names mainnet's, for feed readers that run no script. */
function useFeedLinks(network: Network): void {
  useEffect(() => {
    for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel="alternate"]')) {
      link.href = new URL(link.href).pathname.replace(/^\/feeds\/\w+/, `/feeds/${network}`);
      link.title = link.title.replace(/\w+$/, network);
    }
  }, [network]);
}

/** When the site was built. */
const BUILT_WITH = import.meta.env as Partial<Record<string, string>>;
const [SITE_URL, REPOSITORY_URL] = ["RUGWATCH_SITE_URL", "RUGWATCH_REPOSITORY_URL"].map((name) =>
  BUILT_WITH[name]?.replace(/\/+$/, ""),
);

/** Path and network, without the state of the view. */
function useCanonical(): void {
  const { path, network } = useUrl();
  useEffect(() => {
    if (!SITE_URL) return;
    const known = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
    const link =
      known ??
      document.head.appendChild(
        Object.assign(document.createElement("link"), { rel: "canonical" }),
      );
    link.href = SITE_URL + toAddress(path, { network });
  }, [path, network]);
}
