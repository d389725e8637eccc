import { toShortKey } from "../format/values.ts";
import { useUrl } from "./use-url.ts";
import { getWatched, keepWatched, WATCHED_MAX } from "./watchlist.ts";

export function Star({ votePubkey, name }: { votePubkey: string; name: string | null }) {
  const { network } = useUrl();
  const votes = getWatched(network);
  const isWatched = votes.includes(votePubkey);
  const isFull = !isWatched && votes.length >= WATCHED_MAX;
  const toggle = () =>
    keepWatched(
      network,
      isWatched ? votes.filter((each) => each !== votePubkey) : [...votes, votePubkey],
    );
  return (
    <button
      type="button"
      class="star"
      aria-pressed={isWatched}
      aria-label={`Watch ${name ?? toShortKey(votePubkey)}`}
      title={
        isFull
          ? `Your watchlist is full: remove one of its ${WATCHED_MAX} validators first`
          : isWatched
            ? "Remove from your watchlist"
            : "Add to your watchlist"
      }
      disabled={isFull}
      onClick={toggle}
    >
      <StarShape isFilled={isWatched} />
    </button>
  );
}

export function StarShape({ isFilled }: { isFilled: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="16"
      height="16"
      aria-hidden="true"
      fill={isFilled ? "currentColor" : "none"}
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linejoin="round"
    >
      <path d="M10 2.2l2.4 4.9 5.4.8-3.9 3.8.9 5.4-4.8-2.6-4.8 2.6.9-5.4-3.9-3.8 5.4-.8z" />
    </svg>
  );
}
