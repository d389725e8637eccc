import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import type {
  CheckEntry,
  Entry,
  NamedEntry,
  PanelIssuance,
  PanelRow,
  RulingEntry,
  SnapshotEntry,
  SnapshotRow,
} from "../../generator/entries/entry.ts";
import type { Folded } from "../../generator/ledger/fold.ts";
import { foldEntry } from "../../generator/service/fold-entry.ts";
import { pendingChanges, type PendingChange } from "../../generator/ledger/rates/pending.ts";
import { newestRate } from "../../generator/ledger/rates/timeline.ts";
import { newestTip } from "../../generator/ledger/tips/timeline.ts";
import { createLedger, type Ledger } from "../../generator/ledger/ledger.ts";
import { createTouched, uniteTouched, type Touched } from "../../generator/ledger/touched.ts";

/** A story's epoch is two hours. */
export const SLOTS_IN_EPOCH = 36_000;
export const SLOTS_A_MINUTE = 300;
export const FIRST_EPOCH = 1100;
const BEGIN = Date.parse("2026-11-20T10:00:00.000Z");

export function keyOf(name: string): string {
  return base58.encode(createHash("sha256").update(name).digest());
}

export interface Fact {
  name: string;
  bps?: number | null;
  percent?: number | null;
  delinquent?: boolean;
  stake?: bigint;
  identity?: string;
  inSet?: boolean;
  credits?: SnapshotRow["credits"];
}

/** Minute 0 is the first of FIRST_EPOCH. */
export function timeAt(minute: number): string {
  return new Date(BEGIN + Math.round(minute * 60_000)).toISOString();
}

export function slotAt(minute: number): number {
  return FIRST_EPOCH * SLOTS_IN_EPOCH + Math.round(minute * SLOTS_A_MINUTE);
}

export function epochAt(minute: number): number {
  return Math.floor(slotAt(minute) / SLOTS_IN_EPOCH);
}

const ENDPOINT = "http://127.0.0.1#1";

function reading(minute: number, slot = slotAt(minute)) {
  const absoluteSlot = slotAt(minute);
  return {
    format: 1 as const,
    network: "mainnet" as const,
    time: timeAt(minute),
    endpoint: ENDPOINT,
    panel: [toListing(ENDPOINT, { slot: absoluteSlot, listSlot: slot, epoch: epochAt(minute) })],
    slot,
    epoch: epochAt(minute),
    slotIndex: absoluteSlot % SLOTS_IN_EPOCH,
    slotsInEpoch: SLOTS_IN_EPOCH,
    absoluteSlot,
    unreadableRows: 0,
  };
}

/** A witness whose list is the entry's own. */
export function toListing(
  endpoint: string,
  { slot, listSlot = slot, epoch }: { slot: number; listSlot?: number; epoch: number },
): PanelRow {
  const place = { slot, epoch, firstSlot: epoch * SLOTS_IN_EPOCH, slotsInEpoch: SLOTS_IN_EPOCH };
  return {
    endpoint,
    ...place,
    reason: null,
    list: { slot: listSlot, unreadableRows: 0, hasBasisPoints: true, lacks: [], rows: [] },
  };
}

export function toSilentWitness(endpoint: string, reason = "no answer in time"): PanelRow {
  return { endpoint, slot: null, epoch: null, firstSlot: null, slotsInEpoch: null, list: null, reason };
}

export function row(fact: Fact): SnapshotRow {
  return {
    vote: keyOf(fact.name),
    basisPoints: fact.bps === undefined ? (fact.percent === undefined ? 500 : null) : fact.bps,
    percent: fact.percent ?? null,
    delinquent: fact.delinquent ?? false,
    activeStake: fact.stake ?? 1_000_000_000n,
    identity: keyOf(`identity of ${fact.identity ?? fact.name}`),
    inValidatorSet: fact.inSet ?? true,
    credits: fact.credits ?? [],
  };
}

export function check(minute: number, facts: Fact[], options: { slot?: number } = {}): CheckEntry {
  const votes = facts.map((fact) => {
    const { vote, basisPoints, percent, delinquent, activeStake } = row(fact);
    return { vote, basisPoints, percent, delinquent, activeStake };
  });
  return { kind: "check", ...reading(minute, options.slot), votes, unclear: [], accounts: [] };
}

export function snapshot(minute: number, facts: Fact[], sides: Partial<SnapshotEntry> = {}): SnapshotEntry {
  const skipped = { state: "skipped", off: false } as const;
  return {
    kind: "snapshot",
    ...reading(minute),
    votes: facts.map(row),
    accounts: [{ state: "failed", endpoint: ENDPOINT, reason: "no answer in time" }],
    absent: [],
    creditsUnit: "credits",
    nodes: skipped,
    info: skipped,
    production: skipped,
    stakeAccounts: skipped,
    mev: skipped,
    priorityFees: skipped,
    tips: skipped,
    closedProduction: skipped,
    locations: skipped,
    slotSamples: skipped,
    issuance: skipped,
    tipAmounts: skipped,
    ...sides,
  };
}

/** The same observation, where the newest vote of its list has another slot. */
export function listedAt<E extends CheckEntry | SnapshotEntry>(entry: E, slot: number): E {
  const panel = entry.panel.map((row) => ({ ...row, list: row.list && { ...row.list, slot } }));
  return { ...entry, slot, panel };
}

/** The same observation, where the cluster is at another slot. */
export function movedTo<E extends CheckEntry | SnapshotEntry>(entry: E, slot: number): E {
  const slotIndex = slot % SLOTS_IN_EPOCH;
  const epoch = (slot - slotIndex) / SLOTS_IN_EPOCH;
  const panel = entry.panel.map(({ endpoint }) => toListing(endpoint, { slot, epoch }));
  return { ...entry, slot, absoluteSlot: slot, slotIndex, epoch, panel };
}

/** Inflation and supply, by the one witness. */
export function issuanceBy(
  minute: number,
  told: Omit<Extract<PanelIssuance["answers"][number], { state: "ok" }>, "state" | "endpoint">,
): SnapshotEntry["issuance"] {
  return { state: "ok", value: { epoch: epochAt(minute), answers: [{ state: "ok", endpoint: ENDPOINT, ...told }] } };
}

export function named(entry: Entry): NamedEntry {
  const text = JSON.stringify(entry, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value));
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const time = entry.time.slice(11, 23).replaceAll(/[:.]/g, "");
  return { name: `${entry.time.slice(0, 10)}/${time}-${entry.kind}-${hash}`, entry };
}

export interface Told {
  ledger: Ledger;
  outcomes: Folded["outcome"][];
  pending: PendingChange[];
  touched: Touched;
}

export function tell(...entries: Entry[]): Told {
  const told: Told = { ledger: createLedger("mainnet"), outcomes: [], pending: [], touched: createTouched() };
  const inOrder = entries.map(named).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of inOrder) {
    const folded = foldEntry(told.ledger, entry);
    told.ledger = folded.ledger;
    told.outcomes.push(folded.outcome);
    told.touched = uniteTouched(told.touched, folded.touched);
  }
  told.pending = pendingChanges(told.ledger);
  return told;
}

/** "+" accepted, "-" refused, for each entry. */
export const verdicts = (...entries: Entry[]): string =>
  tell(...entries)
    .outcomes.map(({ accepted }) => (accepted ? "+" : "-"))
    .join("");

/** As "RUG 500→10000 in 1" or "MEV RUG 800→9500 in 1". */
export const eventsOf = (...entries: Entry[]): string[] => eventsTold(tell(...entries));

export function eventsTold({ ledger }: Pick<Told, "ledger">): string[] {
  return ledger.events.map(({ validatorIndex, source, severity, from, to, epoch }) => {
    const ofOther = ledger.validators[validatorIndex]?.vote === keyOf("A") ? "" : " of another";
    return `${source === "MEV" ? "MEV " : ""}${severity} ${from}→${to} in ${epoch - FIRST_EPOCH}${ofOther}`;
  });
}

export function validatorOf({ ledger }: Pick<Told, "ledger">, name: string) {
  const validatorIndex = ledger.validatorIndexes.get(keyOf(name));
  const validator = validatorIndex === undefined ? undefined : ledger.validators[validatorIndex];
  if (validatorIndex === undefined || validator === undefined) throw new Error(`the story has no validator ${name}`);
  const [rate, tip] = [newestRate(validator), newestTip(validator)];
  const inflation = rate === null ? null : { basisPoints: rate.basisPoints, exact: rate.exact };
  return { validatorIndex, ...validator, inflation, mev: tip?.rate ?? null, mevEpoch: tip?.until ?? null };
}

/** On an observation, or on an event that came with it. */
export function ruling(on: Entry, { event, ...said }: Partial<RulingEntry> & { event?: string } = {}): RulingEntry {
  const time = new Date(Date.parse(on.time) - 1).toISOString();
  const subject =
    event === undefined ? { of: "observation" as const, key: named(on).name } : { of: "event" as const, id: event };
  const head = { kind: "ruling", format: 1, network: "mainnet", time, ruledAt: timeAt(60) } as const;
  return { ...head, subject, verdict: "ignore", reason: "known", ...said };
}

export const minutes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export function crowd(count: number, fact: Omit<Fact, "name"> = {}): Fact[] {
  return Array.from({ length: count }, (_, index) => ({ name: `crowd ${index}`, ...fact }));
}

export const rest = crowd(9);

/** The nine and A: its basis points, or other facts. */
export const withA = (told: number | Omit<Fact, "name"> = {}): Fact[] => [
  ...rest,
  { name: "A", ...(typeof told === "number" ? { bps: told } : told) },
];
