import { NETWORKS, toAddress } from "../format/url.ts";
import { toCounted } from "../format/values.ts";
import { StarShape } from "../parts/Star.tsx";
import { theme, type Theme, THEMES } from "../parts/theme.ts";
import { useUrl } from "../parts/use-url.ts";
import { getWatched, toWatchlistAddress } from "../parts/watchlist.ts";
import { PAGES } from "./pages.ts";

/** What the build says of a demonstration (.env.demo). */
const { RUGWATCH_DEMONSTRATION: DEMONSTRATION = "" } = import.meta.env as Partial<
  Record<string, string>
>;

export function Header() {
  const { path, network } = useUrl();
  return (
    <header class="header">
      {DEMONSTRATION !== "" && <p class="demonstration">{DEMONSTRATION}</p>}
      <div class="header-inner">
        <a class="brand" href={toAddress("/", { network })}>
          <img src="/icon.svg" width="24" height="24" alt="" />
          <span class="brand-name">Rugwatch</span>
        </a>
        <nav class="navigation" aria-label="Pages">
          {PAGES.filter((page) => page.isInNavigation).map((page) => (
            <a
              key={page.path}
              href={toAddress(page.path, { network })}
              aria-current={isWithin(path, page.path) ? "page" : undefined}
            >
              {page.title}
            </a>
          ))}
        </nav>
        <NetworkSwitch />
        <WatchlistLink />
        <ThemeSwitch />
      </div>
    </header>
  );
}

function isWithin(path: string, page: string): boolean {
  return path === page || (page !== "/" && path.startsWith(`${page}/`));
}

/** Phones have no room for all names beside each other. */
function NetworkSwitch() {
  const { path, network, change } = useUrl();
  return (
    <>
      <nav class="segments network-names" aria-label="Network">
        {NETWORKS.map((name) => (
          <a
            key={name}
            href={toAddress(path, { network: name })}
            aria-current={name === network ? "true" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      <select
        class="network-choice"
        aria-label="Network"
        value={network}
        onChange={({ currentTarget }) => change({ network: currentTarget.value })}
      >
        {NETWORKS.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </>
  );
}

function WatchlistLink() {
  const { path, network } = useUrl();
  const count = getWatched(network).length;
  return (
    <a
      class="icon-button watchlist-link"
      href={toWatchlistAddress(network)}
      aria-label={count === 0 ? "Watchlist" : `Watchlist, ${toCounted(count, "validator")}`}
      aria-current={path === "/watchlist" ? "page" : undefined}
      title="Watchlist"
    >
      <StarShape isFilled={count > 0} />
      <span class="watchlist-word">Watchlist</span>
    </a>
  );
}

const NAMES: Record<Theme, string> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

function ThemeSwitch() {
  const chosen = theme.value;
  const next = THEMES[(THEMES.indexOf(chosen) + 1) % THEMES.length] ?? "system";
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`${NAMES[chosen]}. Change to ${NAMES[next].toLowerCase()}`}
      title={NAMES[chosen]}
      onClick={() => (theme.value = next)}
    >
      <ThemeIcon theme={chosen} />
    </button>
  );
}

function ThemeIcon({ theme: shown }: { theme: Theme }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      stroke-width="1.6"
    >
      {shown === "system" && (
        <>
          <circle cx="10" cy="10" r="7" />
          <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
        </>
      )}
      {shown === "light" && (
        <>
          <circle cx="10" cy="10" r="3.4" />
          <path d="M10 1.8v2.4M10 15.8v2.4M1.8 10h2.4M15.8 10h2.4M4.2 4.2l1.7 1.7M14.1 14.1l1.7 1.7M4.2 15.8l1.7-1.7M14.1 5.9l1.7-1.7" />
        </>
      )}
      {shown === "dark" && <path d="M16.5 12.2A7 7 0 0 1 7.8 3.5a7 7 0 1 0 8.7 8.7z" />}
    </svg>
  );
}
