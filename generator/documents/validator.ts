import { CLIENTS } from "../contract/clients.ts";
import { LOCATION_CHANGES_MAX, type LocationChange } from "../contract/history.ts";
import { toCount, toPercentOrNull, toPercentOf, toStake } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import type { Profile, Validator } from "../contract/validator.ts";
import type {
  AccountChange,
  KeyChange,
  Location,
  LocationMove,
  ValidatorRecord,
} from "../ledger/records.ts";
import { toAccountChanges } from "./account-changes.ts";
import { appliedAt } from "../views/commissions.ts";
import { findRecord, type Subject, type View } from "./view.ts";
import type { Judgement } from "../views/verdict/verdict.ts";
import { newestMev, newestTip } from "../ledger/tips/timeline.ts";

type Client = (typeof CLIENTS)[number];

/** A validator as lists show it. Commissions are in percent, stakes in lamports and SOL. */
export function toValidator(view: View, subject: Subject): Validator {
  const { record } = subject;
  const client = clientOf(record);
  const { ledger } = view;
  const { level, reasons, facts } = view.verdictOf(subject);
  return {
    votePubkey: record.vote,
    identityPubkey: record.identity,
    name: record.name,
    iconUrl: record.iconUrl,
    website: record.website,
    version: record.version,
    clientType: clientTypeOf(record, client),
    clientId: client?.id ?? null,
    client: client?.name ?? null,
    rank: record.rank,
    commission: toPercentOrNull(record.commissionBasisPoints),
    activeStake: toStake(record.activeStake),
    activatingStake: toStake(record.activatingStake),
    deactivatingStake: toStake(record.deactivatingStake),
    stakePercent: toPercentOf(record.activeStake, ledger.listedStake, 4),
    stakeAccountCount: record.stakeAccountCount,
    delinquent: record.delinquent,
    delinquentSince: record.delinquentSince,
    mevVendorEnabled: record.mevVendorEnabled,
    batchVendorEnabled: record.batchVendorEnabled,
    firstSeenEpoch: record.firstEpoch,
    updatedAt: record.updatedAt,
    location: record.location === null ? null : toPlace(record.location),
    inValidatorSet: record.inValidatorSet,
    stakeAccountsAsOf: record.stakeAccountsAsOf,
    appliedCommission: toPercentOrNull(view.appliedOf(subject.validatorIndex).at(-1) ?? null),
    pattern: facts.pattern,
    nextAppliedCommission: toPercentOrNull(appliedNext(view, subject)),
    appliedCommissions: view.appliedOf(subject.validatorIndex).map(toPercentOrNull),
    mevCommission: toPercentOrNull(newestMev(record)),
    blockRevenueCommission: toPercentOrNull(record.blockRevenueBasisPoints),
    verdict: level,
    verdictReason: firstOf(reasons),
  };
}

function toPlace({ country, countryCode, city, dataCenter }: Location) {
  return { country, countryCode, city, dataCenter };
}

/** The client in the registry; null: none is announced, or it is not registered. */
export function clientOf({ clientId }: ValidatorRecord): Client | null {
  return CLIENTS.find(({ id }) => id === clientId) ?? null;
}

function clientTypeOf(record: ValidatorRecord, client: Client | null): Validator["clientType"] {
  if (client !== null) return client.family;
  const wasInGossip = record.clientId !== null || record.version !== null;
  return wasInGossip ? "unknown" : null;
}

/** Profile of a validator; one that left keeps its profile. null: never seen. */
export function renderProfile(view: View, votePubkey: string): DocumentOf<"validator"> | null {
  const found = findRecord(view, votePubkey);
  if (found === null) return null;
  const { record } = found;
  const { level, reasons } = view.verdictOf(found);
  const data: Profile = {
    ...toValidator(view, found),
    mev: {
      epoch: newestTip(record)?.until ?? view.latestEpoch ?? record.firstEpoch,
      mevCommission: toPercentOrNull(newestMev(record)),
      priorityFeeCommission: toPercentOrNull(record.priorityFeeBasisPoints),
    },
    performance: toPerformance(view, record),
    listed: record.listed,
    lastSeenAt: record.listed ? null : record.seen.time,
    withdrawAuthority: record.authorities.at(-1)?.key ?? null,
    commissionCollector: findCollector(record),
    accountChanges: toAccountChanges(record),
    verdict: { level, reasons: reasons.map((reason) => toReason(reason)) },
  };
  return { data, meta: { network: view.ledger.network } };
}

/** @throws {Error} a verdict without a reason */
function firstOf([first]: Judgement["reasons"]): Validator["verdictReason"] {
  if (first === undefined) throw new Error("no rule gave a reason for a verdict");
  return toReason(first);
}

function toReason({ code, text }: Judgement["reasons"][number]): Validator["verdictReason"] {
  return { code, text };
}

function findCollector({ accountChanges }: ValidatorRecord): string | null {
  return accountChanges.findLast(isOfCollector)?.to ?? null;
}

function isOfCollector(change: AccountChange): change is KeyChange {
  return change.of === "inflationCollector";
}

const NO_PERFORMANCE = {
  skipRate: 0,
  voteCredits: 0,
  voteCreditsUnit: "credits",
  leaderSlots: 0,
  blocksProduced: 0,
  asOf: null,
} as const;

/** As of the last full hour. */
function toPerformance(view: View, record: ValidatorRecord): Profile["performance"] {
  const performance = record.performanceOfHour ?? record.performance;
  if (performance === null)
    return { epoch: view.latestEpoch ?? record.firstEpoch, ...NO_PERFORMANCE };
  const { epoch, voteCredits, unit, leaderSlots, asOf } = performance;
  // Slots and blocks come from two readings, so blocks may be a little ahead.
  const blocksProduced = Math.min(performance.blocksProduced, leaderSlots);
  const skipRate = toPercentOf(leaderSlots - blocksProduced, leaderSlots);
  return {
    epoch,
    skipRate,
    voteCredits: toCount(voteCredits),
    voteCreditsUnit: unit,
    leaderSlots,
    blocksProduced,
    asOf,
  };
}

/** What the next epoch pays, in basis points; null: not known, or the validator has left. */
export function appliedNext(view: View, { validatorIndex, record }: Subject): number | null {
  return view.latestEpoch === null || !record.listed
    ? null
    : appliedAt(view, { validatorIndex, epoch: view.latestEpoch + 1 });
}

/** Newest location and its latest changes, newest first. null: no location is known. */
export function renderLocation(view: View, votePubkey: string): DocumentOf<"location"> | null {
  const record = findRecord(view, votePubkey)?.record;
  const location = record?.location ?? null;
  if (record === undefined || location === null) return null;
  const { asn, asnOrganization } = location;
  const changes = record.moves.toReversed().slice(0, LOCATION_CHANGES_MAX).map(toChange);
  return {
    data: { current: { ...toPlace(location), asn, asnOrganization }, changes },
    meta: { network: view.ledger.network, votePubkey },
  };
}

function toChange({ at, from, to }: LocationMove): LocationChange {
  return {
    dataCenter: to.dataCenter,
    city: to.city,
    previousDataCenter: from.dataCenter,
    previousCity: from.city,
    detectedAt: at,
  };
}
