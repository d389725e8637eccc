import { signal } from "@preact/signals";
import type { Network } from "../../generator/contract/networks.ts";
import { readVotes, toAddress } from "../format/url.ts";
import { withStorage } from "./storage.ts";

/** Each costs one of the sixty requests that a client has a minute. */
export const WATCHED_MAX = 24;

type Watched = Readonly<Record<Network, readonly string[]>>;

const watched = signal<Watched>({ mainnet: [], testnet: [], alpenglow: [] });

export function followWatchlists(): void {
  const readAll = () => {
    watched.value = {
      mainnet: readKept("mainnet"),
      testnet: readKept("testnet"),
      alpenglow: readKept("alpenglow"),
    };
  };
  readAll();
  addEventListener("storage", readAll);
}

export function getWatched(network: Network): readonly string[] {
  return watched.value[network];
}

export function keepWatched(network: Network, votes: readonly string[]): void {
  watched.value = { ...watched.peek(), [network]: votes.slice(0, WATCHED_MAX) };
  withStorage((storage) => storage.setItem(toKey(network), watched.peek()[network].join(",")));
}

/** The address carries the list, so people can share it. */
export function toWatchlistAddress(network: Network): string {
  const votes = getWatched(network);
  return toAddress("/watchlist", { votes: votes.length === 0 ? null : votes.join(","), network });
}

function readKept(network: Network): string[] {
  return readVotes(
    withStorage((storage) => storage.getItem(toKey(network))) ?? undefined,
    WATCHED_MAX,
  );
}

function toKey(network: Network): string {
  return `rugwatch-watched-${network}`;
}
