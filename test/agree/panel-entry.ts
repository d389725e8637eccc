import type { AccountRow, AccountsAnswer, CheckEntry, PanelRow, SnapshotEntry } from "../../generator/entries/entry.ts";

export const EPOCH = 1_000;
export const SLOT = 432_010_000;

export const endpointOf = (witness: number): string => `https://witness-${witness}.example#${witness}`;

export type ListedRow = NonNullable<PanelRow["list"]>["rows"][number];

/** A row of a list: basis points, or a percent alone. */
export interface Listed {
  bps?: number;
  percent?: number;
  delinquent?: boolean;
  inSet?: boolean;
  identity?: string;
}

/** What one witness answers. */
export interface Answers {
  /** By vote account; null: it gives no list. */
  list: Record<string, Listed> | null;
  /** By vote account; null: not there. By default none is asked for; "silent": no answer. */
  accounts?: Record<string, AccountRow> | "silent";
  /** Its list's slot, relative to SLOT. */
  ahead?: number;
  /** Its accounts' slot, relative to SLOT. */
  accountsAhead?: number;
  epoch?: number | null;
}

export const SILENT: Answers = { list: null, epoch: null };

/** The first that gives a list is the entry's own; all vote accounts that have an account somewhere are unclear. */
export function toCheck(answers: readonly Answers[], head: Partial<CheckEntry> = {}): CheckEntry {
  const { panel, rows, header } = toPanel(answers);
  const unclear = [...new Set(answers.flatMap(({ accounts }) => Object.keys(accountsIn(accounts))))];
  const votes = rows.map(({ vote, basisPoints, percent, delinquent, activeStake }) => {
    return { vote, basisPoints, percent, delinquent, activeStake };
  });
  const accounts = unclear.length === 0 ? [] : toAccounts(answers, unclear);
  return { kind: "check", ...header, panel, votes, unclear, accounts, ...head };
}

export function toSnapshot(answers: readonly Answers[]): SnapshotEntry {
  const { panel, rows, header } = toPanel(answers);
  const votes = rows.map((row) => ({ ...row, credits: [] }));
  const accounts = toAccounts(
    answers,
    rows.map(({ vote }) => vote),
  );
  return { kind: "snapshot", ...header, panel, votes, accounts, ...SIDES };
}

const OFF = { state: "skipped" as const, off: true };
const SIDES = {
  absent: [],
  creditsUnit: null,
  nodes: OFF,
  info: OFF,
  production: OFF,
  stakeAccounts: OFF,
  mev: OFF,
  priorityFees: OFF,
  tips: OFF,
  closedProduction: OFF,
  locations: OFF,
  slotSamples: OFF,
  issuance: OFF,
  tipAmounts: OFF,
};

function toPanel(answers: readonly Answers[]) {
  const first = Math.max(
    answers.findIndex(({ list }) => list !== null),
    0,
  );
  const own = toRows(answers[first]?.list ?? {});
  const panel = answers.map(({ list, ahead = 0, epoch = EPOCH }, witness): PanelRow => {
    const place =
      epoch === null
        ? { slot: null, epoch, firstSlot: null, slotsInEpoch: null }
        : { slot: SLOT + ahead, epoch, firstSlot: SLOT - 10_000, slotsInEpoch: 432_000 };
    const reason = list === null ? "no answer in time" : null;
    const difference =
      list === null
        ? null
        : { slot: SLOT + ahead, unreadableRows: 0, hasBasisPoints: true, ...compare(own, toRows(list)) };
    return { endpoint: endpointOf(witness), ...place, list: difference, reason };
  });
  const header = {
    format: 1 as const,
    network: "mainnet" as const,
    time: "2026-11-20T10:00:00.000Z",
    endpoint: endpointOf(first),
    slot: SLOT + (answers[first]?.ahead ?? 0),
    epoch: EPOCH,
    slotIndex: 10_000,
    slotsInEpoch: 432_000,
    absoluteSlot: SLOT,
    unreadableRows: 0,
  };
  return { panel, rows: own, header };
}

function toRows(list: Record<string, Listed>): ListedRow[] {
  return Object.entries(list).map(
    ([vote, { bps, percent, delinquent = false, inSet = true, identity = `identity of ${vote}` }]) => ({
      vote,
      basisPoints: bps ?? null,
      percent: percent ?? null,
      delinquent,
      activeStake: 1n,
      identity,
      inValidatorSet: inSet,
    }),
  );
}

function compare(own: readonly ListedRow[], other: readonly ListedRow[]) {
  const toText = (row: ListedRow) => JSON.stringify({ ...row, activeStake: String(row.activeStake) });
  const known = new Map(own.map((row) => [row.vote, toText(row)]));
  const listed = new Set(other.map(({ vote }) => vote));
  return {
    lacks: own.flatMap(({ vote }) => (listed.has(vote) ? [] : [vote])),
    rows: other.filter((row) => known.get(row.vote) !== toText(row)),
  };
}

function accountsIn(accounts: Answers["accounts"]): Record<string, AccountRow> {
  return accounts === undefined || accounts === "silent" ? {} : accounts;
}

function toAccounts(answers: readonly Answers[], votes: readonly string[]): AccountsAnswer[] {
  return answers.map(({ accounts, accountsAhead = 0 }, witness) => {
    const endpoint = endpointOf(witness);
    if (accounts === undefined || accounts === "silent")
      return { state: "failed", endpoint, reason: "no answer in time" };
    return { state: "ok", endpoint, slot: SLOT + accountsAhead, rows: votes.map((vote) => accounts[vote] ?? null) };
  });
}
