import {
  haltedBetween,
  rateAt,
  stakeAt,
  timeOf,
  valueAt,
  type Cluster,
  type Step,
  type Validator,
} from "./cluster.ts";
import type { Fault } from "./faults.ts";
import type { Record } from "./record.ts";
import type { Scenario } from "./scenario.ts";
import { DELINQUENT_SLOT_DISTANCE } from "../../cluster/chain/presence.ts";

const MINUTE = 60_000;
const FREEZE_MOST = 15 * MINUTE;

export function findFreezes({ cluster, begin, end }: Scenario, { noted }: Record): Fault[] {
  const accepted = noted.filter(
    ({ entry, outcome }) => isObservation(entry.kind) && outcome.accepted,
  );
  const times = [begin, ...accepted.map(({ at }) => at), end];
  const gaps = times.slice(1).flatMap((to, index) => {
    const from = times[index] ?? begin;
    return splitAtLeaps(cluster, from, to);
  });
  return gaps
    .filter(({ length }) => length > FREEZE_MOST)
    .map(({ from: at, length }) => {
      return {
        kind: "stopped",
        at,
        vote: "",
        text: `nothing was accepted for ${toMinutes(length)}`,
      };
    });
}

/** A changed set is doubted anew, so that each part of a gap counts by itself. */
function splitAtLeaps(
  cluster: Cluster,
  from: number,
  to: number,
): { from: number; length: number }[] {
  const leaps = leapsOf(cluster).filter((time) => time > from && time < to);
  const bounds = [from, ...leaps, to];
  return bounds.slice(1).map((end, index) => {
    const start = bounds[index] ?? from;
    return { from: start, length: end - start - haltedBetween(cluster, start, end) };
  });
}

const leaps = new WeakMap<Cluster, number[]>();

/** When stake or number changed by over two percent and more than one; milliseconds since 1970. */
function leapsOf(cluster: Cluster): number[] {
  const known = leaps.get(cluster) ?? findLeaps(cluster);
  leaps.set(cluster, known);
  return known;
}

function findLeaps(cluster: Cluster): number[] {
  // A validator that stops voting is missed some slots later.
  const missed = (step: Step<boolean>) => ({
    slot: step.value ? step.slot : step.slot + DELINQUENT_SLOT_DISTANCE,
  });
  const steps = cluster.validators.flatMap(({ rates, stakes, voting }) => [
    ...rates,
    ...stakes,
    ...voting.map(missed),
  ]);
  const slots = [...new Set(steps.map(({ slot }) => slot))].sort((a, b) => a - b);
  return slots.flatMap((slot) => {
    const [before, after] = [countLiving(cluster, slot - 1), countLiving(cluster, slot)];
    const isNear = Math.abs(after.rows - before.rows) <= Math.max(1, before.rows * 0.02);
    const isLike = Math.abs(Number(after.stake - before.stake)) <= Number(before.stake) * 0.02;
    return isNear && isLike ? [] : [timeOf(cluster, slot)];
  });
}

function countLiving(cluster: Cluster, slot: number): { rows: number; stake: bigint } {
  const living = cluster.validators.filter(
    (one) => rateAt(one, slot) !== null && isLiving(one, slot),
  );
  return { rows: living.length, stake: stakeAt(cluster, slot) };
}

export function isLiving({ stakes, voting }: Validator, slot: number): boolean {
  const hasVoted =
    valueAt(voting, slot) === true || valueAt(voting, slot - DELINQUENT_SLOT_DISTANCE) === true;
  return hasVoted || (valueAt(stakes, slot) ?? 0n) > 0n;
}

export function isObservation(kind: string): boolean {
  return kind === "check" || kind === "snapshot";
}

export function toMinutes(milliseconds: number): string {
  return `${(milliseconds / MINUTE).toFixed(1)} minutes`;
}
