import { createHash } from "node:crypto";
import { base58 } from "@scure/base";
import { WATCHED } from "../../generator/ledger/rates/boundaries.ts";
import { NEVER_READ } from "../../generator/ledger/rates/block-revenue.ts";
import { NOT_RECORDED, setStake, setU16 } from "../../generator/ledger/columns.ts";
import { createRates } from "../../generator/ledger/rates/timeline.ts";
import { createTips } from "../../generator/ledger/tips/timeline.ts";
import { toEventsInOrder } from "../../generator/documents/event-lists.ts";
import { appendChange } from "../../generator/ledger/change-log.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import type { Ledger } from "../../generator/ledger/ledger.ts";
import type { EventRecord, EventTransaction } from "../../generator/ledger/event-record.ts";
import type {
  Location,
  MevState,
  Moment,
  RateRun,
  TipRun,
  ValidatorRecord,
} from "../../generator/ledger/records.ts";
import { keyOf } from "../story/validators.ts";

export const EPOCH = 1100;
const SLOTS_IN_EPOCH = 432_000;
export const MOMENT: Moment = {
  time: "2026-11-20T10:00:00.000Z",
  slot: EPOCH * SLOTS_IN_EPOCH + 9_000,
  epoch: EPOCH,
};

export const voteOf = keyOf;

export interface ValidatorFacts extends Partial<ValidatorRecord> {
  name: string;
  /** Of `mevEpoch`, by default the newest. */
  mev?: MevState;
  mevEpoch?: number;
}

/** A listed validator of 1 SOL at 5 %; its name also seeds its keys. */
export function validator({
  name,
  mev = null,
  mevEpoch = EPOCH,
  ...facts
}: ValidatorFacts): ValidatorRecord {
  const runs = mev === null ? [] : [tipRun(mev, mevEpoch)];
  return {
    vote: voteOf(name),
    identity: voteOf(`identity of ${name}`),
    name,
    iconUrl: null,
    website: null,
    version: null,
    clientId: null,
    commissionBasisPoints: 500,
    blockRevenueBasisPoints: null,
    activeStake: 1_000_000_000n,
    activatingStake: 0n,
    deactivatingStake: 0n,
    stakeAccountCount: 0,
    stakeAccountsAsOf: null,
    delinquent: false,
    delinquentSince: null,
    mevVendorEnabled: false,
    batchVendorEnabled: false,
    location: null,
    inValidatorSet: true,
    firstEpoch: EPOCH - 1,
    listed: true,
    missedSnapshots: 0,
    rank: 0,
    updatedAt: MOMENT.time,
    seen: MOMENT,
    rates: createRates(),
    nextAuthority: null,
    tips: { ...createTips(), runs },
    priorityFeeBasisPoints: null,
    performance: null,
    performanceOfHour: null,
    knownIdentity: null,
    moves: [],
    history: null,
    authorities: [],
    rateProofs: [],
    absences: [],
    withdrawals: [],
    accountChanges: [],
    blockRevenue: { ...NEVER_READ },
    ...facts,
  };
}

/** Of the tip account of an epoch. */
export function tipRun(rate: TipRun["rate"], epoch = EPOCH): TipRun {
  return { rate, from: epoch, until: epoch, first: MOMENT, learned: MOMENT, believed: null };
}

/** Stood in an epoch, by readings. */
export function rateRun(basisPoints: number, epoch = EPOCH): RateRun {
  const moment = { ...MOMENT, epoch };
  return {
    basisPoints,
    exact: true,
    from: moment,
    until: moment,
    lastEpoch: epoch,
    believed: null,
  };
}

export interface EventFacts extends Partial<EventRecord> {
  of: string;
}

/** A confirmed rise from 5 to 100 %; its validator must be in the ledger. */
function event(ledger: Ledger, { of, ...facts }: EventFacts, index: number): EventRecord {
  return {
    id: `event ${index}`,
    validatorIndex: ledger.validatorIndexes.get(voteOf(of)) ?? -1,
    source: "COMMISSION",
    severity: "RUG",
    epoch: EPOCH,
    createdAt: MOMENT.time,
    slot: MOMENT.slot,
    previousSlot: MOMENT.slot - 150,
    previousSeenAt: MOMENT.time,
    from: 500,
    to: 10_000,
    seenEpoch: facts.epoch ?? EPOCH,
    seenIn: { earliest: facts.epoch ?? EPOCH, latest: facts.epoch ?? EPOCH },
    madeIn: { earliest: facts.epoch ?? EPOCH, latest: facts.epoch ?? EPOCH },
    transaction: null,
    isSwept: false,
    replacedBy: null,
    effectiveEpoch: EPOCH + 2,
    effectiveEpochLatest: EPOCH + 2,
    effectiveEpochFinal: false,
    supersededBy: null,
    cost: null,
    mevCost: null,
    confirmed: true,
    confirmedBy: "account",
    confirmedAt: MOMENT.time,
    ...facts,
  };
}

/** Set the commission, in basis points, one slot before it was seen. */
export function transactionOf(
  basisPoints: number,
  facts: Partial<EventTransaction> = {},
): EventTransaction {
  const signature = signatureOf(`transaction to ${basisPoints}`);
  const slot = facts.slot ?? MOMENT.slot - 1;
  return {
    signature,
    slot,
    blockTime: "2026-11-20T09:59:59.000Z",
    signer: voteOf("withdraw authority"),
    verified: "signature",
    steps: [{ signature, slot, basisPoints }],
    ...facts,
  };
}

export function signatureOf(name: string): string {
  return base58.encode(createHash("sha512").update(name).digest());
}

export interface LedgerFacts {
  validators?: ValidatorFacts[];
  events?: EventFacts[];
  /** Ascending; by default the two newest. */
  epochs?: number[];
}

/** A mainnet ledger after a snapshot, with consistent ranks, totals and indexes. */
export function ledgerOf({
  validators = [],
  events = [],
  epochs = [EPOCH - 1, EPOCH],
}: LedgerFacts = {}): Ledger {
  const ledger = createLedger("mainnet");
  ledger.validators = validators.map(validator);
  ledger.validatorIndexes = new Map(
    ledger.validators.map(({ vote }, validatorIndex) => [vote, validatorIndex]),
  );
  const listed = ledger.validators
    .filter((each) => each.listed)
    .sort((a, b) => Number(b.activeStake - a.activeStake));
  for (const [index, each] of listed.entries()) each.rank ||= index + 1;
  ledger.listedStake = listed.reduce((sum, { activeStake }) => sum + activeStake, 0n);
  ledger.epochs = epochs.map((epoch) => {
    const firstSlot = epoch * SLOTS_IN_EPOCH;
    const moment = { ...MOMENT, slot: firstSlot, epoch };
    return { epoch, firstSlot, slotsInEpoch: SLOTS_IN_EPOCH, first: moment, last: moment };
  });
  ledger.events = events.map((facts, index) => event(ledger, facts, index));
  ledger.snapshot = {
    ...MOMENT,
    listSlot: MOMENT.slot,
    slotIndex: 9_000,
    slotsInEpoch: SLOTS_IN_EPOCH,
    absoluteSlot: MOMENT.slot,
  };
  ledger.acceptance.newest = ledger.snapshot;
  publishAll(ledger);
  return ledger;
}

/** As if each had been published when it happened. */
function publishAll(ledger: Ledger): void {
  for (const each of toEventsInOrder(ledger).reverse()) {
    appendChange(ledger.changes, { at: each.createdAt ?? MOMENT.time, kind: "event", event: each });
    const validatorIndex = ledger.validatorIndexes.get(each.votePubkey) ?? 0;
    ledger.changes.published.set(each.id, { validatorIndex, digest: "" });
  }
}

/** Points of epochs whose ends were watched. */
export function recordCommissions(
  ledger: Ledger,
  name: string,
  points: Record<number, { inflation?: number; mev?: number | "disabled" }>,
): void {
  const { rates, tips } = ledger.validators[validatorIndexOf(ledger, name)]!;
  for (const [text, { inflation, mev }] of Object.entries(points)) {
    const epoch = Number(text);
    if (inflation !== undefined)
      rates.runs = withRun(rates.runs, rateRun(inflation, epoch), (run) => run.from.epoch);
    if (inflation !== undefined) watchEnds(ledger, name, [epoch]);
    if (mev !== undefined) tips.runs = withRun(tips.runs, tipRun(mev, epoch), (run) => run.from);
    if (!ledger.epochs.some((tracked) => tracked.epoch === epoch))
      ledger.history.firstSlots.set(epoch, epoch * SLOTS_IN_EPOCH);
  }
}

function withRun<Run>(runs: readonly Run[], run: Run, epochOf: (run: Run) => number): Run[] {
  const others = runs.filter((other) => epochOf(other) !== epochOf(run));
  return [...others, run].sort((a, b) => epochOf(a) - epochOf(b));
}

export function watchEnds(ledger: Ledger, name: string, epochs: readonly number[]): void {
  for (const epoch of epochs)
    setU16(ledger.boundaries, epoch, validatorIndexOf(ledger, name), WATCHED, NOT_RECORDED);
}

export function recordStake(
  ledger: Ledger,
  name: string,
  point: { epoch: number; lamports: bigint; rank?: number },
): void {
  const validatorIndex = validatorIndexOf(ledger, name);
  setStake(ledger.stakes, point.epoch, validatorIndex, point.lamports);
  if (point.rank !== undefined)
    setU16(ledger.ranks, point.epoch, validatorIndex, point.rank, NOT_RECORDED);
}

/** The only witness said that the validator was not in the epoch's set. */
export function recordOutside(ledger: Ledger, name: string, epoch: number): void {
  const ONE_WITNESS = 1 << 8;
  const TOLD = 0b01;
  setU16(ledger.members, epoch, validatorIndexOf(ledger, name), ONE_WITNESS | TOLD, 0);
}

export function recordDay(
  ledger: Ledger,
  name: string,
  day: { date: string; checks: number; delinquent: number },
): void {
  const validatorIndex = validatorIndexOf(ledger, name);
  setU16(ledger.uptime.checks, day.date, validatorIndex, day.checks, 0);
  if (day.delinquent > 0)
    setU16(ledger.uptime.delinquentChecks, day.date, validatorIndex, day.delinquent, 0);
}

export function location(facts: Partial<Location> = {}): Location {
  return {
    country: "Germany",
    countryCode: "DE",
    city: "Frankfurt",
    asn: 24940,
    asnOrganization: "Hetzner Online GmbH",
    dataCenter: "Hetzner",
    ...facts,
  };
}

function validatorIndexOf(ledger: Ledger, name: string): number {
  const validatorIndex = ledger.validatorIndexes.get(voteOf(name));
  if (validatorIndex === undefined) throw new Error(`the ledger has no validator ${name}`);
  return validatorIndex;
}
