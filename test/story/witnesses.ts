import type {
  AccountRow,
  AccountsAnswer,
  PanelRow,
  SnapshotRow,
} from "../../generator/entries/entry.ts";
import { originOf } from "../../generator/contract/origin.ts";
import { epochAt, slotAt, SLOTS_IN_EPOCH, timeAt } from "./clock.ts";
import { row, type Fact } from "./validators.ts";

export const endpointOf = (witness: number): string =>
  `http://witness-${witness}.example#${witness}`;

export const all = <Value>(of: number, value: Value): Value[] =>
  Array.from({ length: of }, () => value);

/** What one witness answers to an observation. */
export interface Witness {
  /** null: it gives no list. */
  list: readonly Fact[] | null;
  /** Slots that it is ahead of the cluster. */
  ahead?: number;
  /** The newest vote of its list; by default of where it is. */
  listSlot?: number;
  /** By default the true one; null: it tells none. */
  epoch?: number | null;
  /** Vote accounts by validator; null: there is none. By default it does not answer. */
  accounts?: Record<string, AccountRow> | "silent";
  /** Slots that its accounts are ahead of the cluster. */
  accountsAhead?: number;
}

export const SILENT: Witness = { list: null, epoch: null };

/** @param silent index of the one of two that gives no list; null: both give one */
export const listsWithout = (silent: number | null) => ({
  isAlone: silent !== null,
  silent: silent === null ? null : originOf(endpointOf(silent)),
});

/** The lists of a panel whose silent witnesses give none. */
export const listsLike = (answers: readonly unknown[]) =>
  listsWithout(
    answers.length === 2 && answers.includes("silent") ? answers.indexOf("silent") : null,
  );

/** The head of an observation, and its own list: that of the first witness that gives one. */
export function toPanel(
  minute: number,
  witnesses: readonly Witness[],
  by = firstListing(witnesses),
) {
  const list = witnesses[by]?.list ?? [];
  const own = list.map(row);
  const absoluteSlot = slotAt(minute) + (witnesses[by]?.ahead ?? 0);
  const head = {
    format: 1 as const,
    network: "mainnet" as const,
    time: timeAt(minute),
    endpoint: endpointOf(by),
    panel: witnesses.map((witness, index) =>
      toPanelRow(minute, witness, { endpoint: endpointOf(index), own }),
    ),
    slot: witnesses[by]?.listSlot ?? absoluteSlot,
    epoch: epochAt(minute),
    slotIndex: absoluteSlot - epochAt(minute) * SLOTS_IN_EPOCH,
    slotsInEpoch: SLOTS_IN_EPOCH,
    absoluteSlot,
    unreadableRows: 0,
  };
  return { own, names: list.map(({ name }) => name), head };
}

function firstListing(witnesses: readonly Witness[]): number {
  const first = witnesses.findIndex(({ list }) => list !== null);
  return Math.max(first, 0);
}

function toPanelRow(
  minute: number,
  { list, ahead = 0, listSlot, epoch = epochAt(minute) }: Witness,
  { endpoint, own }: { endpoint: string; own: readonly SnapshotRow[] },
): PanelRow {
  const slot = slotAt(minute) + ahead;
  const reason = list === null ? NO_ANSWER : null;
  const difference = list && {
    ...{ slot: listSlot ?? slot, unreadableRows: 0, hasBasisPoints: true },
    ...differenceBetween(own, list.map(row)),
  };
  return { endpoint, ...placeIn(epoch, slot), list: difference, reason };
}

/** Where a witness says that the cluster is. */
export function placeIn(epoch: number | null, slot: number) {
  if (epoch === null) return { slot: null, epoch, firstSlot: null, slotsInEpoch: null };
  return { slot, epoch, firstSlot: epoch * SLOTS_IN_EPOCH, slotsInEpoch: SLOTS_IN_EPOCH };
}

function differenceBetween(own: readonly SnapshotRow[], list: readonly SnapshotRow[]) {
  const known = new Map(own.map((one) => [one.vote, toText(one)]));
  const listed = new Set(list.map(({ vote }) => vote));
  return {
    lacks: own.flatMap(({ vote }) => (listed.has(vote) ? [] : [vote])),
    rows: list
      .filter((one) => known.get(one.vote) !== toText(one))
      .map(({ vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet }) => {
        return { vote, basisPoints, percent, delinquent, activeStake, identity, inValidatorSet };
      }),
  };
}

function toText(one: SnapshotRow): string {
  return JSON.stringify({ ...one, activeStake: String(one.activeStake), credits: null });
}

const NO_ANSWER = "no answer in time";

/** Each witness's answer; "silent": none. */
export function answersBy<Given, Answer extends object>(
  given: readonly (Given | "silent")[],
  answer: (one: Given, witness: number) => Answer,
) {
  return given.map((one, witness) => {
    const endpoint = endpointOf(witness);
    if (one === "silent") return { state: "failed" as const, endpoint, reason: NO_ANSWER };
    return { state: "ok" as const, endpoint, ...answer(one, witness) };
  });
}

/** What each witness reads from the vote accounts of these validators. */
export function accountsBy(
  minute: number,
  witnesses: readonly Witness[],
  names: readonly string[],
): AccountsAnswer[] {
  const read = witnesses.map(({ accounts = "silent" as const, accountsAhead = 0 }) =>
    accounts === "silent" ? accounts : { accounts, slot: slotAt(minute) + accountsAhead },
  );
  return answersBy(read, ({ accounts, slot }) => ({
    slot,
    rows: names.map((name) => accounts[name] ?? null),
  }));
}
