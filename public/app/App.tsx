import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import { NotFound } from "../pages/not-found/NotFound.tsx";
import { Failed } from "../parts/Failed.tsx";
import { useFeedLinks } from "./feed-links.ts";
import { Footer } from "./Footer.tsx";
import { Header } from "./Header.tsx";
import { Outage } from "./Outage.tsx";
import { PAGES } from "./pages.ts";
import { ownTitle } from "./title.ts";
import { DEFAULT_NETWORK } from "./url.ts";
import { useUrl } from "./use-url.ts";

/** Addresses that the router takes for its own: all but those of documents, which the browser follows. */
const PAGES_ONLY = /^\/(?!api\/v1\/|feeds\/|exports\/)/;

/** The whole site: what stands around every page, and the page of the address. */
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
    // Who follows a link by keyboard or screen reader goes on from the new page, not from the link that is gone.
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

/** Whether the router can decode a path, which may be anything that was typed. */
function isReadable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** The title of the page whose path begins like this one. */
function toTitle(path: string): string {
  const first = path.split("/")[1] ?? "";
  return PAGES.find((page) => page.path.split("/")[1] === first)?.title ?? "Not found";
}
