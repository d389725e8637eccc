import { originOf } from "../contract/origin.ts";
import { agrees, toCommission, toStoredCommission } from "../chain/commission.ts";
import type { Commission } from "../chain/commission.ts";
import type { AccountRow, CheckEntry, SnapshotEntry } from "../entries/entry.ts";
import { BASIS_POINTS_MAX, PERCENT_MAX } from "../entries/rows.ts";
import { decideAnswer, type Decision, isMajority } from "./majority.ts";
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
  /** In the order of the entry's `votes`; null: no witness gave a rate. */
  listed: (RateReading | null)[];
  /** Of vote accounts that the entry's own list lacks. */
  unlisted: Map<string, RateReading>;
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
  const { lists, differs } = counted;
  const panel = entry.panel.map(({ endpoint }) => endpoint);
  const witnesses = lists.map((list): CountedWitness => ({
    list,
    accounts: findAccounts(entry, list),
  }));
  const indexOfUnclear =
    entry.kind === "check" ? new Map(entry.unclear.map((vote, index) => [vote, index])) : null;
  const accounts = witnesses.flatMap((witness) => witness.accounts ?? []);
  // Most vote accounts have one of a few rates, so equal answers are evaluated only once.
  const unanimous = new Map<number, Map<number, RateReading | null>>();
  const readings = new Map<string, RateReading | null>();

  function read(shared: ListedVote, rowIndex: number): RateReading | null {
    const { vote } = shared;
    const index = indexOfUnclear === null ? rowIndex : indexOfUnclear.get(vote);
    const account = differs[rowIndex] === true ? null : toSharedAccountKey(accounts, index);
    if (account === null) return readAnswers(findAnswers(witnesses, { vote, shared, index }));
    const ofAccount = unanimous.get(account) ?? new Map<number, RateReading | null>();
    const key = toRateKey(shared.basisPoints, shared.percent);
    const known = ofAccount.get(key);
    if (known !== undefined) return known;
    const reading = evaluate(findAnswers(witnesses, { vote, shared, index }));
    unanimous.set(account, ofAccount.set(key, reading));
    return reading;
  }

  function readAnswers(answers: readonly WitnessAnswer[]): RateReading | null {
    const key = answers.map(toAnswerText).join();
    let reading = readings.get(key);
    if (reading === undefined) {
      reading = evaluate(answers);
      readings.set(key, reading);
    }
    return reading;
  }

  function evaluate(answers: readonly WitnessAnswer[]): RateReading | null {
    const rates = answers.flatMap((one) => toRate(one, isWhole) ?? []);
    return rates.length === 0 ? null : toReading(rates, counted);
  }

  const unlisted = new Map<string, RateReading>();
  for (const vote of counted.unlisted) {
    const index = indexOfUnclear?.get(vote);
    const reading = readAnswers(findAnswers(witnesses, { vote, shared: null, index }));
    if (reading !== null) unlisted.set(vote, reading);
  }
  return { panel, listed: entry.votes.map(read), unlisted };
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

/** The rate that one witness gives for a vote account. */
interface WitnessRate {
  endpoint: string;
  commission: Commission;
  slot: number;
  of: AgreedRate["of"];
}

/**
 * Returns the key of what all accounts show of a vote account; null: they differ.
 * @param index index among the accounts that were read; undefined: this one was not
 */
function toSharedAccountKey(
  accounts: readonly Accounts[],
  index: number | undefined,
): number | null {
  if (index === undefined) return NOT_READ;
  const shared = toAccountKey(accounts[0]?.rows[index]);
  for (const { rows } of accounts) if (toAccountKey(rows[index]) !== shared) return null;
  return shared;
}

const RATE_KEYS = (BASIS_POINTS_MAX + 2) * (PERCENT_MAX + 2);
const NO_ACCOUNT = RATE_KEYS;
const NOT_READ = RATE_KEYS + 1;

function toAccountKey(account: AccountRow | undefined): number {
  if (account === undefined) return NOT_READ;
  return account === null ? NO_ACCOUNT : toRateKey(account[0], account[1]);
}

function toRateKey(basisPoints: number | null, percent: number | null): number {
  return ((basisPoints ?? -1) + 1) * (PERCENT_MAX + 2) + (percent ?? -1) + 1;
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
  const {
    answer: { commission },
    alike,
  } = decided;
  const slots = alike.map(({ slot }) => slot);
  const lists = alike.filter((rate) => rate.of === "list");
  const of = isMajority(lists.length, size) ? "list" : "account";
  return { agreed: { commission, ...spanOf(slots, size), isAlone, of }, answers: rates };
}

/**
 * Finds an exact rate of a majority. A percent never votes for another witness's exact rate: honest
 * percents would confirm whatever a liar invents close to them.
 */
function findExact(rates: readonly WitnessRate[], size: number): Decision<WitnessRate> | null {
  const exact = rates.filter(({ commission }) => commission.exact);
  return decideAnswer(
    exact,
    size,
    (one, other) => one.commission.basisPoints === other.commission.basisPoints,
  );
}

/**
 * Finds a percent of a majority. An exact rate does not vote for a percent: what is published would
 * be neither.
 */
function findInexact(rates: readonly WitnessRate[], size: number): Decision<WitnessRate> | null {
  const percents = rates.filter(({ commission }) => !commission.exact);
  return decideAnswer(percents, size, (one, other) => agrees(one.commission, other.commission));
}
