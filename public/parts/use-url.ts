import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { type Query, readNetwork, toAddress } from "../format/url.ts";

/** What the address of the view says, and how to change it. The address is the only place where a view keeps its state. */
interface UrlState {
  path: string;
  query: Query;
  network: Network;
  /**
   * Goes to the same page with other parameters; null takes one out. With `replace` the back button skips the state left
   * behind: for what changes with every key that is typed.
   */
  change: (parameters: Readonly<Record<string, string | number | null>>, how?: { replace: boolean }) => void;
}

export function useUrl(): UrlState {
  const { path, query, route } = useLocation();
  return {
    path,
    query,
    network: readNetwork(query),
    change: (parameters, { replace } = { replace: false }) =>
      route(toAddress(path, { ...query, ...parameters }), replace),
  };
}

/** The title that a page gives itself in place of the one in the table of pages; null: none. */
export const ownTitle = signal<string | null>(null);

/** Names the document after what the page shows, while it shows it; null leaves it the name of the page. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    ownTitle.value = title;
    return () => {
      ownTitle.value = null;
    };
  }, [title]);
}
