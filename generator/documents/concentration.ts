import type { DocumentOf } from "../contract/objects.ts";
import type { Concentration } from "../contract/stats.ts";
import type { Location, ValidatorRecord } from "../ledger/records.ts";
import { toShare, toStake } from "../contract/numbers.ts";
import { countToSuperminority, groupStake, toShares, totalOf, type Entity } from "./stake-groups.ts";
import { clientOf } from "./validator-item.ts";
import type { View } from "./view.ts";

type Located = ValidatorRecord & { location: Location };
type Groups = Record<keyof Concentration["nakamotoCoefficients"], Entity[]>;

/** What a validator counts for when it announces no registered client. */
const UNKNOWN_CLIENT = "Unknown";

/** How the stake of the validator set is spread (endpoint 11); null: nothing is located yet. */
export function renderConcentration(view: View): DocumentOf<"stakeConcentration"> | null {
  const staked = view.listed().filter(({ inValidatorSet, activeStake }) => inValidatorSet && activeStake > 0n);
  const located = staked.filter(isLocated);
  if (located.length === 0) return null;
  const groups = groupAll(staked, located);
  return {
    data: {
      summary: summarise(staked, located, groups),
      nakamotoCoefficients: coefficientsOf(groups),
      ...sharesOf(groups),
    },
    meta: { network: view.ledger.network },
  };
}

/** Places group what is located there; who is not located is no entity of its own. */
function groupAll(staked: readonly ValidatorRecord[], located: readonly Located[]): Groups {
  return {
    byCountry: groupStake(located, ({ location }) => countryOf(location)),
    byDataCenter: groupStake(located, ({ location }) => toEntity(location.dataCenter)),
    byCity: groupStake(located, ({ location }) => cityOf(location)),
    byAsn: groupStake(located, ({ location }) => autonomousSystemOf(location)),
    byValidator: groupStake(staked, ({ vote, name }) => ({ key: vote, name: name ?? vote })),
    byClient: groupStake(staked, (record) => toEntity(clientOf(record)?.name ?? UNKNOWN_CLIENT)),
  };
}

function summarise(
  staked: readonly ValidatorRecord[],
  located: readonly Located[],
  groups: Groups,
): Concentration["summary"] {
  const totalStake = totalOf(staked);
  const locatedStake = totalOf(located);
  return {
    uniqueCountries: groups.byCountry.length,
    uniqueDataCenters: groups.byDataCenter.length,
    uniqueCities: groups.byCity.length,
    uniqueAsns: groups.byAsn.length,
    uniqueClients: groups.byClient.length,
    validatorCount: staked.length,
    totalStake: toStake(totalStake),
    locatedStake: toStake(locatedStake),
    geoCoveragePercent: toShare(locatedStake, totalStake),
  };
}

function coefficientsOf(groups: Groups): Concentration["nakamotoCoefficients"] {
  return {
    byCountry: countToSuperminority(groups.byCountry),
    byDataCenter: countToSuperminority(groups.byDataCenter),
    byCity: countToSuperminority(groups.byCity),
    byAsn: countToSuperminority(groups.byAsn),
    byValidator: countToSuperminority(groups.byValidator),
    byClient: countToSuperminority(groups.byClient),
  };
}

function sharesOf(groups: Groups) {
  return {
    byCountry: toShares(groups.byCountry),
    byDataCenter: toShares(groups.byDataCenter),
    byCity: toShares(groups.byCity),
    byAsn: toShares(groups.byAsn),
    byValidator: toShares(groups.byValidator),
    byClient: toShares(groups.byClient),
  };
}

function isLocated(record: ValidatorRecord): record is Located {
  return record.location !== null;
}

function toEntity(name: string | null): { key: string; name: string } | null {
  return name === null ? null : { key: name, name };
}

/** The code is the key: a database may write a country's name differently from one edition to the next. */
function countryOf({ country, countryCode }: Location) {
  const key = countryCode ?? country;
  return key === null ? null : { key, name: country ?? key };
}

/** A city with its country: there is more than one Paris. */
function cityOf(location: Location) {
  if (location.city === null) return null;
  const country = countryOf(location);
  if (country === null) return toEntity(location.city);
  return { key: `${country.key} ${location.city}`, name: `${location.city}, ${country.name}` };
}

function autonomousSystemOf({ asn, asnOrganization }: Location) {
  if (asn === null) return null;
  const key = `AS${asn}`;
  return { key, name: asnOrganization === null ? key : `${key} ${asnOrganization}` };
}
