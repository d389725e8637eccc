import { authoritiesWithin } from "./authorities.ts";
import { gapsWithin, type Span } from "./coverage.ts";
import type { Ledger } from "./ledger.ts";
import { NODES_DIFFER_SLOTS } from "./slot-objections.ts";
import type { Authority, EventRecord } from "./records.ts";

/*
 * Whose transactions to search next: for an event, what made it; in a sweep, each authority once an epoch.
 */

/** What to ask the witnesses for. */
export interface SearchDue {
  authority: string;
  /** Slots after this one. */
  after: number;
  /** null: as far as each of them is. */
  upTo: number | null;
  /** Who signed more than this is too busy to be searched. */
  transactionsMax: number;
}

/** In an epoch; each costs a call of every witness. */
const TRANSACTIONS_MAX = 100;
/** In the window of one event. */
const TRANSACTIONS_OF_WINDOW_MAX = 50;
/** Over many epochs. */
const TRANSACTIONS_OF_HISTORY_MAX = 1_000;
/** Most authorities of one part of a sweep. */
const PART_MAX = 50;
/** Where nobody was searched yet, the first part is that of so much of an epoch. */
const FIRST_PART = 0.01;
/** What no search has covered for longer is left to be searched as history. */
const CAUGHT_UP_EPOCHS = 3;
/** Where epochs take minutes: two hours. */
const CAUGHT_UP_SLOTS = 20_000;
const REFUSED_MILLISECONDS = 24 * 60 * 60_000;
/** An authority is due again after so much of an epoch: parts do not fall on the same slots each time. */
const DUE_AFTER = 0.95;

/**
 * Searches for what made the changes of which no transaction is known yet: those confirmed since a moment, and those that
 * still wait.
 * @param since ISO 8601 in UTC
 */
export function searchesForEvents(ledger: Ledger, since: string): SearchDue[] {
  if (isRefused(ledger)) return [];
  const isUnproved = ({ source, confirmed, transaction, previousSlot, confirmedAt }: EventRecord) =>
    source === "COMMISSION" &&
    confirmed &&
    transaction === null &&
    previousSlot !== null &&
    (confirmedAt ?? "") >= since;
  const windows = [
    ...ledger.events
      .filter(isUnproved)
      .map((event) => ({ ordinal: event.ordinal, after: event.previousSlot ?? event.slot, upTo: event.slot })),
    ...[...ledger.validators.entries()].flatMap(([ordinal, { pendingInflation }]) =>
      pendingInflation === null
        ? []
        : [{ ordinal, after: pendingInflation.previous.slot, upTo: pendingInflation.first.slot }],
    ),
  ];
  const searches = windows.flatMap(({ ordinal, ...window }) => toSearches(ledger, ordinal, window));
  return [...new Map(searches.map((search) => [search.authority, search])).values()];
}

function toSearches(ledger: Ledger, ordinal: number, { after, upTo }: Span): SearchDue[] {
  const validator = ledger.validators[ordinal];
  if (validator === undefined) return [];
  const window = { after, upTo: upTo + NODES_DIFFER_SLOTS };
  return authoritiesWithin(validator, window).flatMap(({ authority: { key, covered } }): SearchDue[] => {
    // It was looked for where it would be, and is not there.
    if (gapsWithin(covered, { after, upTo }).length === 0) return [];
    if (ledger.searches.get(key)?.outcome === "busy")
      return [{ authority: key, ...window, transactionsMax: TRANSACTIONS_OF_WINDOW_MAX }];
    // All of the window, though what came after it may be covered already.
    const begin = Math.min(after, beginOf(ledger, key, after));
    return [{ authority: key, after: begin, upTo: null, transactionsMax: TRANSACTIONS_MAX }];
  });
}

/**
 * Up to where all is known of each account that the key holds. Where that is long ago, or nothing is, an epoch before: of all
 * that was signed since then there may be too much to be searched, each time again.
 */
function beginOf(ledger: Ledger, key: string, before: number): number {
  const length = lengthOfEpoch(ledger);
  const ends = heldBy(ledger, key).map(({ covered }) => covered.at(-1)?.[1] ?? -1);
  const end = Math.min(...ends);
  const reach = Math.max(CAUGHT_UP_EPOCHS * length, CAUGHT_UP_SLOTS);
  const isLately = ends.length > 0 && end >= Math.max(0, before - reach);
  return isLately ? end : Math.max(0, before - length);
}

function heldBy({ validators }: Ledger, key: string): Authority[] {
  return validators.flatMap(({ authorities }) => authorities.filter((authority) => authority.key === key));
}

/**
 * The next part of the sweep, whoever was searched longest ago first: each comes once an epoch, as its last search was so long
 * ago. Those never searched are spread over the epoch after the first authority was read. When others were searched for events
 * must not matter: a single one could hold up the sweep of all by changing its commission again and again.
 */
export function searchesOfSweep(ledger: Ledger): SearchDue[] {
  const now = ledger.acceptance.newest?.slot;
  if (now === undefined || isRefused(ledger)) return [];
  const length = lengthOfEpoch(ledger);
  const authorities = authoritiesOf(ledger);
  const lastOf = (authority: string) => ledger.searches.get(authority)?.slot ?? -1;
  const fresh = authorities.filter((authority) => lastOf(authority) === -1);
  const searched = authorities.filter((authority) => lastOf(authority) !== -1);
  const passed = length * FIRST_PART + now - findBeginning(ledger, now);
  const turns = Math.max(0, Math.ceil((authorities.length * passed) / length) - searched.length);
  return [
    ...fresh.slice(0, turns),
    ...searched
      .filter((authority) => now - lastOf(authority) >= length * DUE_AFTER)
      .sort((a, b) => lastOf(a) - lastOf(b) || (a < b ? -1 : 1)),
  ]
    .slice(0, PART_MAX)
    .map((authority) => ({
      authority,
      after: beginOf(ledger, authority, now),
      upTo: null,
      transactionsMax: TRANSACTIONS_MAX,
    }));
}

/** The slot at which the first authority of a listed validator was read. */
function findBeginning({ validators }: Ledger, now: number): number {
  return validators.reduce(
    (first, { listed, authorities }) => (listed ? Math.min(first, authorities[0]?.from ?? now) : first),
    now,
  );
}

/**
 * Whether no majority of the witnesses keeps a history of transactions: then they are asked again after a day, as an endpoint
 * is for what it refused. Of searches made together one that was answered tells that there is one.
 */
export function isRefused({ searches, acceptance }: Ledger): boolean {
  const all = [...searches.values()];
  const latest = all.reduce((newest, { time }) => (time > newest ? time : newest), "");
  const now = acceptance.newest?.time;
  if (latest === "" || now === undefined) return false;
  if (all.some(({ time, outcome }) => time === latest && outcome !== "refused")) return false;
  return Date.parse(now) - Date.parse(latest) < REFUSED_MILLISECONDS;
}

/** Everything after a slot that is not covered yet, of every authority. */
export function searchesOfHistory(ledger: Ledger, after: number): SearchDue[] {
  const now = ledger.acceptance.newest?.slot ?? 0;
  return authoritiesOf(ledger).flatMap((authority) =>
    gapsOf(ledger, authority, { after, upTo: now }).map((gap) => ({
      authority,
      after: gap.after,
      upTo: gap.upTo === now ? null : gap.upTo,
      transactionsMax: TRANSACTIONS_OF_HISTORY_MAX,
    })),
  );
}

/** What is not covered yet of any account that the key holds, in as few spans as there can be. */
function gapsOf(ledger: Ledger, key: string, span: Span): Span[] {
  const gaps = heldBy(ledger, key).flatMap(({ covered }) => gapsWithin(covered, span));
  return gaps
    .sort((a, b) => a.after - b.after)
    .reduce<Span[]>((merged, gap) => {
      const last = merged.at(-1);
      if (last === undefined || gap.after > last.upTo) return [...merged, gap];
      return [...merged.slice(0, -1), { after: last.after, upTo: Math.max(last.upTo, gap.upTo) }];
    }, []);
}

/** Every key that is known to have held the authority of a listed validator. */
export function authoritiesOf({ validators }: Ledger): string[] {
  const listed = validators.filter((validator) => validator.listed);
  return [...new Set(listed.flatMap(({ authorities }) => authorities.map(({ key }) => key)))].sort();
}

function lengthOfEpoch({ epochs }: Ledger): number {
  return epochs.at(-1)?.slotsInEpoch ?? 0;
}
