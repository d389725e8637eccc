import { authoritiesWithin } from "../ledger/proof/authorities.ts";
import { NODES_DIFFER_SLOTS, READ_SLOTS, UNINDEXED_SLOTS } from "../chain/slots.ts";
import { newestRate } from "../ledger/rates/timeline.ts";
import { gapsWithin, type Span } from "../ledger/proof/coverage.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { EventRecord } from "../ledger/event-record.ts";
import type { Authority } from "../ledger/records.ts";

/** A search of an authority's transactions in a span of slots. */
export interface SearchDue {
  authority: string;
  /** Exclusive. */
  after: number;
  /** null: up to the slot of each witness. */
  upTo: number | null;
  /** An authority that signed more transactions is busy and not searched. */
  transactionsMax: number;
}

/** An epoch's worth; each costs a call of every witness. */
const TRANSACTIONS_MAX = 100;
const TRANSACTIONS_OF_WINDOW_MAX = 50;
const TRANSACTIONS_OF_HISTORY_MAX = 1_000;
const PART_MAX = 50;
const FIRST_PART = 0.01;
/** The sweep leaves an older gap to the history search. */
const CAUGHT_UP_EPOCHS = 3;
/** The least gap on clusters with short epochs: two hours. */
const CAUGHT_UP_SLOTS = 20_000;
const REFUSED_MILLISECONDS = 24 * 60 * 60_000;
/** Below 1, so that each search starts at another part of the epoch. */
const DUE_AFTER = 0.95;

/**
 * Searches for pending changes, and for those confirmed since a time, until their windows are
 * covered: once at once, in case a node lists the transaction already, and again when the window
 * can be covered.
 */
export function searchesForEvents(ledger: Ledger, since: string): SearchDue[] {
  return toSearches(ledger, windowsOf(ledger, since), mayGain);
}

/**
 * Searches for changes confirmed since a time that were not searched since their windows can be
 * covered.
 */
export function searchesOfRipe(ledger: Ledger, since: string): SearchDue[] {
  return toSearches(ledger, windowsOf(ledger, since), isRipe);
}

interface Window extends Span {
  validatorIndex: number;
}

function windowsOf(ledger: Ledger, since: string): Window[] {
  const isUnproved = ({ source, confirmed, transaction, previousSlot, confirmedAt }: EventRecord) =>
    source === "COMMISSION" &&
    confirmed &&
    transaction === null &&
    previousSlot !== null &&
    (confirmedAt ?? "") >= since;
  // The transaction may be that much later than the slot of the reading.
  return [
    ...ledger.events
      .filter(isUnproved)
      .map(({ validatorIndex, previousSlot, slot }) => ({
        validatorIndex,
        after: previousSlot ?? slot,
        upTo: slot + READ_SLOTS,
      })),
    ...[...ledger.validators.entries()].flatMap(([validatorIndex, validator]) => {
      const [current, { pending }] = [newestRate(validator), validator.rates];
      if (current === null || pending === null) return [];
      return [{ validatorIndex, after: current.until.slot, upTo: pending.first.slot + READ_SLOTS }];
    }),
  ];
}

/**
 * Slots: the end of the window, the cluster's slot at the authority's last search (-1: none), and
 * the cluster's slot now.
 */
interface Looked {
  upTo: number;
  last: number;
  now: number;
}

function mayGain({ upTo, last, now }: Looked): boolean {
  return last < upTo - READ_SLOTS || now - UNINDEXED_SLOTS >= upTo;
}

function isRipe({ upTo, last, now }: Looked): boolean {
  return now - UNINDEXED_SLOTS >= upTo && last - UNINDEXED_SLOTS < upTo;
}

function toSearches(
  ledger: Ledger,
  windows: readonly Window[],
  isWanted: (looked: Looked) => boolean,
): SearchDue[] {
  const now = ledger.acceptance.newest?.slot;
  if (now === undefined || isRefused(ledger)) return [];
  const searches = windows.flatMap(({ validatorIndex, ...window }) =>
    searchesOf(ledger, validatorIndex, window, (key) =>
      isWanted({ upTo: window.upTo, last: ledger.searches.get(key)?.slot ?? -1, now }),
    ),
  );
  return [...new Map(searches.map((search) => [search.authority, search])).values()];
}

function searchesOf(
  ledger: Ledger,
  validatorIndex: number,
  { after, upTo }: Span,
  isWanted: (key: string) => boolean,
): SearchDue[] {
  const validator = ledger.validators[validatorIndex];
  if (validator === undefined) return [];
  const window = { after, upTo: upTo + NODES_DIFFER_SLOTS };
  return authoritiesWithin(validator, window).flatMap(
    ({ authority: { key, covered } }): SearchDue[] => {
      if (gapsWithin(covered, { after, upTo }).length === 0 || !isWanted(key)) return [];
      if (ledger.searches.get(key)?.outcome === "busy")
        return [{ authority: key, ...window, transactionsMax: TRANSACTIONS_OF_WINDOW_MAX }];
      // The whole window, though later slots may be covered.
      const begin = Math.min(after, beginOf(ledger, key, after));
      return [{ authority: key, after: begin, upTo: null, transactionsMax: TRANSACTIONS_MAX }];
    },
  );
}

/**
 * A search begins where the coverage of the key's accounts ends, or it would leave a gap. An
 * account that was never covered, or only long ago, counts from one epoch back, as everything
 * since may be too much for each search. The earliest begin is right for all of them.
 */
function beginOf(ledger: Ledger, key: string, before: number): number {
  const length = lengthOfEpoch(ledger);
  const oldest = Math.max(0, before - Math.max(CAUGHT_UP_EPOCHS * length, CAUGHT_UP_SLOTS));
  const begins = authoritiesWith(ledger, key).map(({ covered }) => {
    const end = covered.at(-1)?.[1] ?? -1;
    return end >= oldest ? end : Math.max(0, before - length);
  });
  return Math.min(...begins);
}

function authoritiesWith({ validators }: Ledger, key: string): Authority[] {
  return validators.flatMap(({ authorities }) =>
    authorities.filter((authority) => authority.key === key),
  );
}

/**
 * Searches of the sweep; new authorities are spread over the epoch. It is independent of searches
 * for events, or an authority could stall it by changing its commission again and again.
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

function findBeginning({ validators }: Ledger, now: number): number {
  return validators.reduce(
    (first, { listed, authorities }) =>
      listed ? Math.min(first, authorities[0]?.from ?? now) : first,
    now,
  );
}

/** Whether no majority keeps a transaction history. It is asked again after a day. */
export function isRefused({ searches, acceptance }: Ledger): boolean {
  const all = [...searches.values()];
  const latest = all.reduce((newest, { time }) => (time > newest ? time : newest), "");
  const now = acceptance.newest?.time;
  if (latest === "" || now === undefined) return false;
  if (all.some(({ time, outcome }) => time === latest && outcome !== "refused")) return false;
  return Date.parse(now) - Date.parse(latest) < REFUSED_MILLISECONDS;
}

/**
 * Searches that fill every gap in coverage, for the `transactions` command.
 * @param after slot from which on gaps count, exclusive
 */
export function searchesOfHistory(ledger: Ledger, after: number): SearchDue[] {
  const end = (ledger.acceptance.newest?.slot ?? 0) - UNINDEXED_SLOTS;
  return authoritiesOf(ledger).flatMap((authority) =>
    gapsOf(ledger, authority, { after, upTo: end }).map((gap) => ({
      authority,
      after: gap.after,
      upTo: gap.upTo === end ? null : gap.upTo,
      transactionsMax: TRANSACTIONS_OF_HISTORY_MAX,
    })),
  );
}

function gapsOf(ledger: Ledger, key: string, span: Span): Span[] {
  const gaps = authoritiesWith(ledger, key).flatMap(({ covered }) => gapsWithin(covered, span));
  return gaps
    .sort((a, b) => a.after - b.after)
    .reduce<Span[]>((merged, gap) => {
      const last = merged.at(-1);
      if (last === undefined || gap.after > last.upTo) return [...merged, gap];
      return [...merged.slice(0, -1), { after: last.after, upTo: Math.max(last.upTo, gap.upTo) }];
    }, []);
}

/** Withdraw authorities of listed validators, past and present. */
export function authoritiesOf({ validators }: Ledger): string[] {
  const listed = validators.filter((validator) => validator.listed);
  return [
    ...new Set(listed.flatMap(({ authorities }) => authorities.map(({ key }) => key))),
  ].sort();
}

function lengthOfEpoch({ epochs }: Ledger): number {
  return epochs.at(-1)?.slotsInEpoch ?? 0;
}
