import { originOf } from "../contract/origin.ts";
import { agrees, toCommission, toStoredCommission } from "../chain/commission.ts";
import type { Commission } from "../chain/commission.ts";
import type { AccountRow, CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { findMajority, majorityOf } from "./majority.ts";
import { isNear, type Span, spanOf } from "./slots.ts";
import { findRow, type ListedVote, type WitnessList, type WitnessLists } from "./witness-lists.ts";

/*
 * The rate of a witness is the exact one of its own list, which its bank answers. An account comes
 * from the accounts database, which under load answers with a former value or none under a right
 * slot. So an account only makes exact what the same witness's list shows in percent, and a witness
 * that contradicts itself does not count.
 */

/** A rate on which a majority agrees, and the slots of the lists or accounts that show it. */
export interface AgreedRate extends Span {
  commission: Commission;
  /** Whether only one of two witnesses answered, so that it decides alone. */
  isAlone: boolean;
  /** "list": a majority of lists shows it. "account": it takes accounts to make a majority. */
  of: "list" | "account";
}

/** What the panel answers for the rate of one vote account. */
export interface RateReading {
  /** null: no majority agrees. */
  agreed: AgreedRate | null;
  /**
   * The rate of every witness that counts and gave one, preferred first, at the slot of its list or
   * account.
   */
  answers: readonly WitnessRate[];
}

/** What the panel answers for all inflation commissions. */
export interface AgreedRates {
  /** Every witness, as `ORIGIN#POSITION`. */
  panel: string[];
  /**
   * Of a panel of two the origin of the witness that did not answer or gave no list; null: none.
   */
  silent: string | null;
  /**
   * By vote account, also those that the entry's own list lacks; without those for which no witness
   * gave a rate.
   */
  byVote: Map<string, RateReading>;
}

/**
 * Finds the inflation commission on which a majority agrees, for each vote account.
 * @param options.isWhole whether a listed percent is exact, because no vote account stores basis
 * points yet
 */
export function agreeOnRates(
  entry: CheckEntry | SnapshotEntry,
  counted: WitnessLists,
  { isWhole }: { isWhole: boolean },
): AgreedRates {
  const { silent, lists, differing } = counted;
  const panel = entry.panel.map(({ endpoint }) => endpoint);
  const witnesses = lists.map((list): CountedWitness => ({
    list,
    accounts: findAccounts(entry, list),
  }));
  const asked = toIndex(
    entry.kind === "check" ? entry.unclear : entry.votes.map(({ vote }) => vote),
  );
  const isExact = lists.every(({ hasBasisPoints }) => hasBasisPoints);
  const byVote = new Map<string, RateReading>();
  // Most vote accounts have one of a few rates, so equal answers are evaluated only once.
  const readings = new Map<string, RateReading | null>();

  function read(vote: string, shared: ListedVote | null): void {
    const isRead = !(isExact && shared?.basisPoints != null) && asked.has(vote);
    const isUnanimous = shared !== null && !differing.has(vote) && !isRead;
    let answers = isUnanimous
      ? null
      : findAnswers(witnesses, { vote, shared, index: asked.get(vote) });
    const key =
      answers === null
        ? `${shared?.basisPoints} ${shared?.percent}`
        : answers.map(toAnswerText).join();
    let reading = readings.get(key);
    if (reading === undefined) {
      answers ??= findAnswers(witnesses, { vote, shared, index: asked.get(vote) });
      const rates = answers.flatMap((one) => toRate(one, isWhole) ?? []);
      reading = rates.length === 0 ? null : toReading(rates, counted);
      readings.set(key, reading);
    }
    if (reading !== null) byVote.set(vote, reading);
  }

  const others = new Set(differing);
  for (const row of entry.votes) {
    others.delete(row.vote);
    read(row.vote, row);
  }
  for (const vote of others) read(vote, null);
  return { panel, silent, byVote };
}

interface CountedWitness {
  list: WitnessList;
  accounts: Accounts | null;
}

/** What one witness answers about one vote account. */
interface WitnessAnswer {
  witness: CountedWitness;
  row: ListedVote | null;
  /** undefined: not read. null: there is no such account. */
  account: AccountRow | undefined;
}

interface Accounts {
  slot: number;
  rows: readonly AccountRow[];
}

/**
 * Returns what each witness answers.
 * @param of.index index among the accounts that were read; undefined: this one was not
 */
function findAnswers(
  witnesses: readonly CountedWitness[],
  { vote, shared, index }: { vote: string; shared: ListedVote | null; index: number | undefined },
): WitnessAnswer[] {
  return witnesses.map((witness) => {
    const account = index === undefined ? undefined : witness.accounts?.rows[index];
    return { witness, row: findRow(witness.list, vote, shared), account };
  });
}

/**
 * Returns a witness's own answer about accounts, if it is from about the time of its list; null:
 * there is none.
 */
function findAccounts(
  { accounts }: CheckEntry | SnapshotEntry,
  { endpoint, slot }: WitnessList,
): Accounts | null {
  const own = accounts.find((answer) => originOf(answer.endpoint) === originOf(endpoint));
  return own?.state === "ok" && isNear(own.slot, slot) ? own : null;
}

function toIndex(votes: readonly string[]): Map<string, number> {
  return new Map(votes.map((vote, index) => [vote, index]));
}

/** The rate that one witness gives for a vote account. */
interface WitnessRate {
  endpoint: string;
  commission: Commission;
  slot: number;
  of: AgreedRate["of"];
}

function toAnswerText({ row, account }: WitnessAnswer): string {
  if (row === null) return "";
  const listed = `${row.basisPoints} ${row.percent}`;
  if (row.basisPoints !== null || account === undefined) return listed;
  return account === null ? `${listed} none` : `${listed} ${account[0]} ${account[1]}`;
}

/** Returns a witness's rate; null: it gives none, or contradicts itself. */
function toRate({ witness, row, account }: WitnessAnswer, isWhole: boolean): WitnessRate | null {
  const { list, accounts } = witness;
  const { endpoint, slot } = list;
  const commission = row === null ? null : toCommission(row, { isWhole });
  if (commission === null) return null;
  const listed = { endpoint, commission, slot, of: "list" as const };
  if (commission.exact || accounts === null || account === undefined) return listed;
  if (account === null) return null;
  const [basisPoints, percent] = account;
  const stored = toStoredCommission({ basisPoints, percent });
  if (stored === null) return listed;
  return agrees(commission, stored)
    ? { endpoint, commission: stored, slot: accounts.slot, of: "account" }
    : null;
}

function toReading(rates: readonly WitnessRate[], { size, isAlone }: WitnessLists): RateReading {
  const decided = findExact(rates, size) ?? findInexact(rates, size);
  if (decided === null) return { agreed: null, answers: rates };
  const { commission, alike } = decided;
  const slots = alike.map(({ slot }) => slot);
  const lists = alike.filter((rate) => rate.of === "list");
  const of = lists.length >= majorityOf(size) ? "list" : "account";
  return { agreed: { commission, ...spanOf(slots, size), isAlone, of }, answers: rates };
}

interface Decided {
  commission: Commission;
  alike: WitnessRate[];
}

/**
 * Finds an exact rate of a majority. A percent never votes for another witness's exact rate: honest
 * percents would confirm whatever a liar invents close to them.
 */
function findExact(rates: readonly WitnessRate[], size: number): Decided | null {
  const exact = rates.filter(({ commission }) => commission.exact);
  const alike = findMajority(
    exact,
    size,
    (one, other) => one.commission.basisPoints === other.commission.basisPoints,
  );
  const [first] = alike;
  return first === undefined ? null : { commission: first.commission, alike };
}

/**
 * Finds a percent of a majority. An exact rate does not vote for a percent: what is published would
 * be neither.
 */
function findInexact(rates: readonly WitnessRate[], size: number): Decided | null {
  const percents = rates.filter((rate) => !rate.commission.exact);
  for (const { commission } of percents) {
    const alike = percents.filter((other) => agrees(commission, other.commission));
    if (alike.length >= majorityOf(size)) return { commission, alike };
  }
  return null;
}
