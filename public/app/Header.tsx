import { useEffect, useRef } from "preact/hooks";
import { NetworkSwitch } from "./NetworkSwitch.tsx";
import { PAGES } from "./pages.ts";
import { ThemeSwitch } from "./ThemeSwitch.tsx";
import { toAddress } from "./url.ts";
import { useUrl } from "./use-url.ts";

/** What stands above every page: where one is, on which network, and in which light. */
export function Header() {
  const { path, network } = useUrl();
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    if (navigation.current !== null) showCurrent(navigation.current);
  }, [path]);
  return (
    <header class="header">
      <div class="header-inner">
        <a class="brand" href={toAddress("/", { network })}>
          <img src="/icon.svg" width="24" height="24" alt="" />
          <span class="brand-name">Rugwatch</span>
        </a>
        <nav class="navigation" aria-label="Pages" ref={navigation}>
          {PAGES.filter((page) => page.isNamed).map((page) => (
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
        <ThemeSwitch />
      </div>
    </header>
  );
}

/** Where not all entries fit, that of the page is in view. Moved sideways only: the page itself stays where it is. */
function showCurrent(navigation: HTMLElement): void {
  const current = navigation.querySelector<HTMLElement>("[aria-current]");
  if (current === null) return;
  const middle = current.offsetLeft - navigation.offsetLeft + current.offsetWidth / 2;
  navigation.scrollTo({ left: middle - navigation.clientWidth / 2 });
}

/** Whether an address is a page or one below it. */
function isWithin(path: string, page: string): boolean {
  return path === page || (page !== "/" && path.startsWith(`${page}/`));
}
