import type { Network } from "../../generator/contract/networks.ts";

/** Copy of contract/parameters.ts, which brings its parser along. */
export const FEED_VOTES_MAX = 50;

/**
 * Path of the feed of validators, by vote account: of one its own; null: none is given. It has
 * the first {@link FEED_VOTES_MAX}.
 */
export function toFeedPath(network: Network, votes: readonly string[]): string | null {
  const [one, ...others] = votes.slice(0, FEED_VOTES_MAX);
  if (one === undefined) return null;
  return others.length === 0
    ? `/feeds/${network}/validators/${one}.atom`
    : `/feeds/${network}.atom?votes=${[one, ...others].join(",")}`;
}
