import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { type Query, readNetwork, toAddress } from "../format/url.ts";

/** The address is the only place where a view keeps its state. */
interface UrlState {
  path: string;
  query: Query;
  network: Network;
  /** Changes parameters of the address; null takes one out. `replace`: the back button skips the state left behind. */
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

/** In place of the title in the table of pages; null: none. */
export const ownTitle = signal<string | null>(null);

/** Names the document after what the page shows; null: after the page. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    ownTitle.value = title;
    return () => {
      ownTitle.value = null;
    };
  }, [title]);
}
