import { useLocation } from "preact-iso";
import type { Network } from "../../generator/contract/networks.ts";
import { readNetwork, toAddress, type Query } from "./url.ts";

/** What the address of the view says, and how to change it. The address is the only place where a view keeps its state. */
export interface UrlState {
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
