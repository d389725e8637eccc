import type { Network } from "../../generator/contract/networks.ts";
import type { SnapshotIndex } from "../../generator/contract/snapshot-index.ts";
import { unreadable } from "./objects.ts";

/** A doubtful index that the store still gives out after this time is what the generator means: a new series, a rebuild. */
export const DOUBT_MILLISECONDS = 600_000;
/** Percent of the vote accounts known so far that an index must know. None is ever forgotten but by a new series. */
const KNOWN_MIN_PERCENT = 80;

/** The index of another network is never taken. @throws {ApiError} `upstream_unavailable`, its cause names both */
export function assertOfNetwork(index: SnapshotIndex, network: Network): void {
  if (index.network !== network) throw unreadable(`the index of ${network} is that of ${index.network}`);
}

/** Why an index should not replace the one held at once; null: it is newer, and no smaller than the chain explains. */
export function findDoubt(held: SnapshotIndex, next: SnapshotIndex): string | null {
  const [from, to] = [toTime(held), toTime(next)];
  if (to < from) return `it is older than the one held: of ${next.snapshotAt}, not ${held.snapshotAt}`;
  const [known, knows] = [countKnown(held), countKnown(next)];
  if (knows * 100 < known * KNOWN_MIN_PERCENT) return `it knows ${knows} vote accounts, the one held ${known}`;
  return null;
}

function toTime({ snapshotAt }: SnapshotIndex): number {
  return snapshotAt === null ? -Infinity : Date.parse(snapshotAt);
}

function countKnown({ validators, unlisted }: SnapshotIndex): number {
  return validators.length + unlisted.length;
}
