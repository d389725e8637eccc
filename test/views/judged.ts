import { expect } from "vitest";
import { VERDICT_REASONS } from "../../generator/contract/verdict.ts";
import {
  EPOCH,
  ledgerOf,
  MOMENT,
  recordCommissions,
  recordOutside,
  recordStake,
  voteOf,
  type EventFacts,
  type ValidatorFacts,
} from "../documents/fixtures.ts";
import { read } from "../documents/read.ts";

/** What is known of validator A. */
export interface Past {
  /** Basis points by epochs ago, carried forward. The oldest is the first known epoch. */
  rates: Record<number, number>;
  events?: Omit<EventFacts, "of">[];
  record?: Omit<Partial<ValidatorFacts>, "name">;
  /** SOL by epochs ago. */
  stakes?: Record<number, bigint>;
  /** Time of the newest observation. */
  now?: string;
  /** By a majority, in no validator set of these epochs ago. */
  outside?: number[];
}

/** Epochs known. */
const FIRST = 40;

export function verdictOf(past: Past) {
  return read(ledgerOfPast(past), "validator", { votePubkey: voteOf("A") }).data.verdict;
}

function ledgerOfPast({
  rates,
  events = [],
  record = {},
  stakes = {},
  now = MOMENT.time,
  outside = [],
}: Past) {
  const commissionBasisPoints = rates[0] ?? Object.entries(rates)[0]?.[1] ?? null;
  const ledger = ledgerOf({
    validators: [{ name: "A", commissionBasisPoints, ...record }],
    events: events.map((event) => ({
      of: "A",
      effectiveEpoch: event.epoch! + 2,
      effectiveEpochLatest: event.epoch! + 2,
      ...event,
    })),
    epochs: Array.from({ length: FIRST }, (_, at) => EPOCH - FIRST + 1 + at),
  });
  const oldest = Math.max(...Object.keys(rates).map(Number));
  let rate = 0;
  for (let ago = oldest; ago >= 0; ago -= 1) {
    rate = rates[ago] ?? rate;
    recordCommissions(ledger, "A", { [EPOCH - ago]: { inflation: rate } });
  }
  for (const [ago, sol] of Object.entries(stakes))
    recordStake(ledger, "A", { epoch: EPOCH - Number(ago), lamports: sol * 1_000_000_000n });
  for (const ago of outside) recordOutside(ledger, "A", EPOCH - ago);
  ledger.acceptance.newest = { ...ledger.snapshot!, time: now };
  return ledger;
}

/** As "level: code, code | the numbers in the first sentence". */
export function judge(past: Past): string {
  const { level, reasons } = verdictOf(past);
  expect(level).toBe(VERDICT_REASONS[reasons[0]!.code].level);
  const figures = reasons[0]!.text.match(/\d+(\.\d+)?/g)?.join(" ") ?? "none";
  return `${level}: ${reasons.map(({ code }) => code).join(", ")} | ${figures}`;
}

export const rise = (ago: number, from: number, to: number, facts: Partial<EventFacts> = {}) => {
  const severity = to >= 9000 ? "RUG" : to - from >= 1000 ? "CAUTION" : "INFO";
  return {
    id: `${ago} ago to ${to}`,
    epoch: EPOCH - ago,
    slot: MOMENT.slot - ago * 10,
    from,
    to,
    severity,
    ...facts,
  } as const;
};
export const fall = (ago: number, from: number, to: number, facts: Partial<EventFacts> = {}) =>
  rise(ago, from, to, { severity: "INFO", slot: MOMENT.slot - ago * 10 - 5, ...facts });

/** A validator whose rate was the first 40 epochs ago, and its changes since, the oldest first. */
export const changing = (first: number, ...changes: [ago: number, to: number][]): Past => ({
  rates: { [FIRST - 1]: first, ...Object.fromEntries(changes) },
  events: changes
    .map(([ago, to], at) => ({ ago, from: changes[at - 1]?.[1] ?? first, to }))
    .map(({ ago, from, to }) => (to > from ? rise : fall)(ago, from, to))
    .reverse(),
});
