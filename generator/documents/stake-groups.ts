import type { Share } from "../contract/stats.ts";
import { toShare, toStake } from "../contract/numbers.ts";
import { compareText } from "./order.ts";

/** Who holds this share of all stake can stop the chain: a third, written as the spec writes it, in hundredths of a percent. */
const SUPERMINORITY_BASIS_POINTS = 3333n;
const ALL_BASIS_POINTS = 10_000n;

interface Staked {
  activeStake: bigint;
}

/** What stake is counted by: a country, a data centre, a validator. Two of one name can be two entities. */
export interface Entity extends Staked {
  key: string;
  name: string;
  validatorCount: number;
}

/**
 * Stake by entity, largest first, ties by name. Whom `entityOf` answers null for is counted nowhere. Of the names an entity
 * is given under its key, the first one stands.
 */
export function groupStake<Member extends Staked>(
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

/** Lamports. */
export function totalOf(members: readonly Staked[]): bigint {
  return members.reduce((sum, { activeStake }) => sum + activeStake, 0n);
}

/** The Nakamoto coefficient: how many entities, largest first, it takes to hold 33.33 % together; 0 without stake. */
export function countToSuperminority(entities: readonly Staked[]): number {
  const needed = totalOf(entities) * SUPERMINORITY_BASIS_POINTS;
  let held = 0n;
  let count = 0;
  for (const { activeStake } of entities) {
    if (held * ALL_BASIS_POINTS >= needed) break;
    held += activeStake;
    count += 1;
  }
  return count;
}

/** The entities as published; percent is of what they hold together. */
export function toShares(entities: readonly Entity[]): Share[] {
  const total = totalOf(entities);
  return entities.map(({ name, validatorCount, activeStake }) => ({
    name,
    validatorCount,
    activeStake: toStake(activeStake),
    stakePercent: toShare(activeStake, total, 4),
  }));
}

function compareEntities(a: Entity, b: Entity): number {
  if (a.activeStake !== b.activeStake) return a.activeStake > b.activeStake ? -1 : 1;
  return compareText(a.name, b.name) || compareText(a.key, b.key);
}
