import { medianOf } from "../contract/numbers.ts";
import { originOf } from "../contract/origin.ts";
import { asListed } from "../entries/as-listed.ts";
import type { CheckEntry, PanelList, PanelRow, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, isMajority } from "./majority.ts";
import { isNear, spanOf } from "./slots.ts";

/**
 * A vote account as a witness lists it. The entry's own rows in a check have neither identity nor
 * membership of the validator set.
 */
export type ListedVote = CheckEntry["votes"][number] &
  Partial<Pick<SnapshotEntry["votes"][number], "identity" | "inValidatorSet">>;

/** How the list of a witness that counts differs from the entry's list. */
export interface WitnessList {
  /** `ORIGIN#POSITION`. */
  endpoint: string;
  /** The largest lastVote of the list. */
  slot: number;
  /** false: it lists whole percents only. */
  hasBasisPoints: boolean;
  /** Vote accounts of the entry that it does not list. */
  lacks: ReadonlySet<string>;
  /** Rows that the entry lacks or has with other values, by vote account. */
  rows: ReadonlyMap<string, ListedVote>;
}

/** The lists of an entry that count. */
export interface WitnessLists {
  /**
   * Of a panel of two the origin of the witness that did not answer or gave no list. null: both
   * did, or the panel is not of two.
   */
  silent: string | null;
  /** Whether only one of two witnesses gave a list, so that it decides alone. */
  isAlone: boolean;
  /** Number of witnesses of whom more than half decide: the panel's, or 1 if one decides alone. */
  size: number;
  /** Lists of the witnesses that count, preferred first. */
  lists: WitnessList[];
  /** The latest slot that the lists of a majority reach; if too few count, the entry's slot. */
  slot: number;
  /**
   * Whether any of the lists lacks a row of the entry or has it with other values; in the order of
   * the entry's rows. A list of whole percents is not compared in basis points.
   */
  differs: readonly boolean[];
  /** Vote accounts that other lists have and the entry's list lacks. */
  unlisted: readonly string[];
}

/**
 * Reads the lists of witnesses that are in the majority's epoch and at the cluster's slot.
 * @param clusterSlot null: not known, and the median of the lists replaces it
 */
export function readLists(
  { panel, slot, votes }: Pick<CheckEntry | SnapshotEntry, "panel" | "slot" | "votes">,
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
    silent: panelSize === 2 ? findSilent(panel) : null,
    isAlone,
    size,
    lists,
    slot: isMajority(slots.length, size) ? spanOf(slots, size).until : slot,
    ...compareRows(votes, lists),
  };
}

function compareRows(
  votes: readonly ListedVote[],
  lists: readonly WitnessList[],
): Pick<WitnessLists, "differs" | "unlisted"> {
  const differing = new Set(lists.flatMap(({ lacks, rows }) => [...lacks, ...rows.keys()]));
  const unlisted = new Set(differing);
  const differs = votes.map(({ vote }) => {
    unlisted.delete(vote);
    return differing.has(vote);
  });
  return { differs, unlisted: [...unlisted] };
}

/**
 * Returns a witness's own row of a vote account.
 * @param shared the entry's row; null: the entry does not list the vote account
 * @returns null if the witness does not list it
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

/**
 * Whether one of two witnesses, which alone answered another question, decides it alone. One that
 * gives a list is not silent, so only the one that alone gave a list does.
 * @param answers of both, and those of them that count
 */
export function decidesAlone(
  { isAlone, silent }: Pick<WitnessLists, "isAlone" | "silent">,
  answers: readonly { state: "ok" | "failed" }[],
  counted: readonly { endpoint: string }[],
): boolean {
  return (
    isAlone &&
    isOneAlone(answers, counted.length) &&
    counted.every(({ endpoint }) => originOf(endpoint) !== silent)
  );
}

/**
 * Whether only one of two witnesses answered. Its answer counts once the other has been silent for
 * long enough. A witness whose answer does not count is not silent.
 * @param counted number of answers that count
 */
function isOneAlone(answers: readonly { state: "ok" | "failed" }[], counted: number): boolean {
  return answers.length === 2 && counted === 1 && answers.some(({ state }) => state === "failed");
}

function isSilent({ list, reason }: PanelRow): boolean {
  return list === null && reason !== null;
}

function findSilent(panel: readonly PanelRow[]): string | null {
  const [silent] = panel.filter(isSilent);
  return silent === undefined ? null : originOf(silent.endpoint);
}

/**
 * Finds the epoch of a majority of the witnesses that show one, even if the lists of that epoch are
 * too few. If one of two is silent, the other decides.
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

/** Converts a list as an entry keeps it. */
export function toWitnessList(
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
