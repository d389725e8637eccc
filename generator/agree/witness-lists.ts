import { originOf } from "../contract/origin.ts";
import { asListed } from "../entries/as-listed.ts";
import type { CheckEntry, PanelList, PanelRow, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isOneAlone, majorityOf } from "./majority.ts";
import { isNear, medianOf, spanOf } from "./slots.ts";

/**
 * A vote account as a witness lists it; a check's own
 * rows have neither identities nor the validator set.
 */
export type ListedVote = CheckEntry["votes"][number] &
  Partial<Pick<SnapshotEntry["votes"][number], "identity" | "inValidatorSet">>;

/** What a witness that counts lists otherwise than the entry. */
export interface WitnessList {
  /** `ORIGIN#POSITION`. */
  endpoint: string;
  /** Largest lastVote. */
  slot: number;
  hasBasisPoints: boolean;
  lacks: ReadonlySet<string>;
  rows: ReadonlyMap<string, ListedVote>;
}

/** The lists of an entry that count. */
export interface WitnessLists {
  panelSize: number;
  /**
   * Of two the one that did not answer, or gave no list:
   * its origin. null: both did, or no panel of two.
   */
  silent: string | null;
  /** The other of two counts: it decides alone. */
  isAlone: boolean;
  /** Witnesses of whom more than half decide: the panel's, or 1 where one is alone. */
  size: number;
  /** Preferred first. */
  lists: WitnessList[];
  /** By which a majority had given them; of too few, that of the entry's list. */
  slot: number;
  /**
   * Vote accounts that any of the lists lacks, or has otherwise than the entry, basis points apart.
   */
  differing: ReadonlySet<string>;
}

/**
 * The lists of witnesses in the majority's epoch and where the cluster is.
 * @param clusterSlot null: not known, the median of the lists stands for it
 */
export function readLists(
  { panel, slot }: Pick<CheckEntry | SnapshotEntry, "panel" | "slot">,
  clusterSlot: number | null,
): WitnessLists {
  const panelSize = panel.length;
  const silence = panel.map((row) => ({
    state: isSilent(row) ? ("failed" as const) : ("ok" as const),
  }));
  const listing = panel.flatMap(({ endpoint, epoch, list }) =>
    list === null ? [] : [{ endpoint, epoch, list }],
  );
  const epoch = findEpoch(panel, silence);
  const reference = clusterSlot ?? medianOf(listing.map(({ list }) => list.slot)) ?? 0;
  const lists = listing
    .filter((one) => one.epoch !== null && one.epoch === epoch && isNear(one.list.slot, reference))
    .map(({ endpoint, list }) => toWitnessList(endpoint, list));
  const isAlone = isOneAlone(silence, lists.length);
  const size = isAlone ? 1 : panelSize;
  const slots = lists.map((list) => list.slot);
  return {
    panelSize,
    silent: panelSize === 2 ? findSilent(panel) : null,
    isAlone,
    size,
    lists,
    slot: slots.length < majorityOf(size) ? slot : spanOf(slots, size).until,
    differing: new Set(lists.flatMap(({ lacks, rows }) => [...lacks, ...rows.keys()])),
  };
}

/**
 * A witness's own row of a vote account.
 * @param shared the entry's row; null: the entry does not list it
 * @returns null: it does not list it
 */
export function findRow(
  list: WitnessList,
  vote: string,
  shared: ListedVote | null,
): ListedVote | null {
  const own = list.rows.get(vote);
  if (own !== undefined) return own;
  return shared === null || list.lacks.has(vote) ? null : asListed(shared, list);
}

function isSilent({ list, reason }: PanelRow): boolean {
  return list === null && reason !== null;
}

function findSilent(panel: readonly PanelRow[]): string | null {
  const [silent] = panel.filter(isSilent);
  return silent === undefined ? null : originOf(silent.endpoint);
}

/**
 * Of those that show one, whose lists then may still be
 * too few; of two that of the one that is not silent.
 */
function findEpoch(
  panel: readonly PanelRow[],
  silence: readonly { state: "ok" | "failed" }[],
): number | null {
  const answering = panel.filter((row) => !isSilent(row));
  const epochs = (isOneAlone(silence, answering.length) ? answering : panel).flatMap(
    ({ epoch }) => epoch ?? [],
  );
  return findMajority(epochs, epochs.length)[0] ?? null;
}

function toWitnessList(
  endpoint: string,
  { slot, hasBasisPoints, lacks, rows }: PanelList,
): WitnessList {
  return {
    endpoint,
    slot,
    hasBasisPoints,
    lacks: new Set(lacks),
    rows: new Map(rows.map((row) => [row.vote, row])),
  };
}
