import { UNKNOWN_CLIENT } from "../contract/clients.ts";
import { compareText } from "../contract/lists.ts";
import { toPercentOf, toStake } from "../contract/numbers.ts";
import type { DocumentOf } from "../contract/objects.ts";
import type { Concentration, Share } from "../contract/stats.ts";
import type { Location, ValidatorRecord } from "../ledger/records.ts";
import { clientOf } from "./validator.ts";
import { findRecord, type View } from "./view.ts";

/** A third of the stake can stop the chain. */
const SUPERMINORITY_BASIS_POINTS = 3333n;
const ALL_BASIS_POINTS = 10_000n;

interface Staked {
  activeStake: bigint;
}

/** Two entities may share a name. */
interface Entity extends Staked {
  key: string;
  name: string;
  validatorCount: number;
}

type Located = ValidatorRecord & { location: Location };
type Groups<Of = Entity[]> = Record<keyof Concentration["nakamotoCoefficients"], Of>;

/** Stake by place, network and client, over validators in the set. null: no location is known. */
export function renderConcentration(view: View): DocumentOf<"stakeConcentration"> | null {
  const staked = view
    .listed()
    .filter(({ inValidatorSet, activeStake }) => inValidatorSet && activeStake > 0n);
  const located = staked.filter((record): record is Located => record.location !== null);
  if (located.length === 0) return null;
  const groups = groupAll(staked, located);
  const totalStake = totalOf(staked);
  const locatedStake = totalOf(located);
  const wholes: Groups<bigint> = {
    byCountry: locatedStake,
    byDataCenter: locatedStake,
    byCity: locatedStake,
    byAsn: locatedStake,
    byValidator: totalStake,
    byClient: totalStake,
  };
  return {
    data: {
      summary: {
        uniqueCountries: groups.byCountry.length,
        uniqueDataCenters: groups.byDataCenter.length,
        uniqueCities: groups.byCity.length,
        uniqueAsns: groups.byAsn.length,
        uniqueClients: groups.byClient.length,
        validatorCount: staked.length,
        totalStake: toStake(totalStake),
        locatedStake: toStake(locatedStake),
        geoCoveragePercent: toPercentOf(locatedStake, totalStake),
      },
      nakamotoCoefficients: mapGroups(groups, (entities, by) =>
        countToSuperminority(
          entities.map(({ activeStake }) => activeStake),
          wholes[by],
        ),
      ),
      ...mapGroups(groups, (entities, by) => toShares(entities, wholes[by])),
      byValidator: toValidatorShares(view, groups.byValidator, totalStake),
    },
    meta: { network: view.ledger.network },
  };
}

/** Largest first. Skips members without an entity; an entity's first name wins. */
function groupStake<Member extends Staked>(
  members: readonly Member[],
  entityOf: (member: Member) => { key: string; name: string } | null,
): Entity[] {
  const entities = new Map<string, Entity>();
  for (const member of members) {
    const found = entityOf(member);
    if (found === null) continue;
    const entity = entities.get(found.key) ?? { ...found, validatorCount: 0, activeStake: 0n };
    entity.validatorCount += 1;
    entity.activeStake += member.activeStake;
    entities.set(found.key, entity);
  }
  return [...entities.values()].sort(compareEntities);
}

/**
 * How many entities together hold a third of the stake (33.33 %); 0 without stake; all of them if
 * they do not hold as much, because of the other stake the entity is not known.
 * @param stakes lamports of each entity, largest first
 * @param whole lamports, those of no known entity too
 */
export function countToSuperminority(stakes: Iterable<bigint>, whole: bigint): number {
  const needed = whole * SUPERMINORITY_BASIS_POINTS;
  let sum = 0n;
  let count = 0;
  for (const activeStake of stakes) {
    if (sum * ALL_BASIS_POINTS >= needed) break;
    sum += activeStake;
    count += 1;
  }
  return count;
}

function toShares(entities: readonly Entity[], whole: bigint): Share[] {
  return entities.map((entity) => toShare(entity, whole));
}

/** Their keys are vote accounts. */
function toValidatorShares(
  view: View,
  validators: readonly Entity[],
  whole: bigint,
): Concentration["byValidator"] {
  return validators.map((entity) => {
    const found = findRecord(view, entity.key);
    return {
      ...toShare(entity, whole),
      votePubkey: entity.key,
      verdict: found === null ? "unknown" : view.verdictOf(found).level,
    };
  });
}

function toShare({ name, validatorCount, activeStake }: Entity, whole: bigint): Share {
  const stakePercent = toPercentOf(activeStake, whole, 4);
  return { name, validatorCount, activeStake: toStake(activeStake), stakePercent };
}

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

function mapGroups<Result>(
  groups: Groups,
  map: (entities: Entity[], by: keyof Groups) => Result,
): Groups<Result> {
  return Object.fromEntries(
    Object.entries(groups).map(([by, entities]) => [by, map(entities, by as keyof Groups)]),
  ) as Groups<Result>;
}

function totalOf(members: readonly Staked[]): bigint {
  return members.reduce((sum, { activeStake }) => sum + activeStake, 0n);
}

function compareEntities(a: Entity, b: Entity): number {
  if (a.activeStake !== b.activeStake) return a.activeStake > b.activeStake ? -1 : 1;
  return compareText(a.name, b.name) || compareText(a.key, b.key);
}

function toEntity(name: string | null): { key: string; name: string } | null {
  return name === null ? null : { key: name, name };
}

/** Databases vary country names between editions. */
function countryOf({ country, countryCode }: Location) {
  const key = countryCode ?? country;
  return key === null ? null : { key, name: country ?? key };
}

/** There is more than one Paris. */
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
