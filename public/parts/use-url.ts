import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect } from "preact/hooks";
import type { Network } from "../../generator/contract/networks.ts";
import { type Query, readNetwork, toAddress } from "../format/url.ts";

/** A view keeps its state in the address, nowhere else. */
interface UrlState {
  path: string;
  query: Query;
  network: Network;
  /** null removes a parameter. `replace`: the back button skips the old state. */
  change: (
    parameters: Readonly<Record<string, string | number | null>>,
    how?: { replace: boolean },
  ) => void;
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

/** Replaces the title in shell/pages.ts. */
export const ownTitle = signal<string | null>(null);

export function useTitle(title: string | null): void {
  useEffect(() => {
    ownTitle.value = title;
    return () => {
      ownTitle.value = null;
    };
  }, [title]);
}
