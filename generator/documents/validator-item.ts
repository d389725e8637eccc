import { CLIENTS } from "../contract/clients.ts";
import type { Validator } from "../contract/validator.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Location, ValidatorRecord } from "../ledger/records.ts";
import { toPercentOrNull, toShare, toStake } from "../contract/numbers.ts";

type Client = (typeof CLIENTS)[number];

/** A validator as a row of the list (endpoint 1); the profile begins with the same fields. */
export function toListItem(ledger: Ledger, record: ValidatorRecord): Validator {
  const client = clientOf(record);
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
    stakePercent: toShare(record.activeStake, ledger.listedStake, 4),
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
  };
}

/** The part of a location that every document shows. */
export function toPlace({ country, countryCode, city, dataCenter }: Location) {
  return { country, countryCode, city, dataCenter };
}

/** The registered client a validator announces; null: it announced none, or a number that is nobody's. */
export function clientOf({ clientId }: ValidatorRecord): Client | null {
  return CLIENTS.find(({ id }) => id === clientId) ?? null;
}

function clientTypeOf(record: ValidatorRecord, client: Client | null): Validator["clientType"] {
  if (client !== null) return client.family;
  const wasHeard = record.clientId !== null || record.version !== null;
  return wasHeard ? "unknown" : null;
}
