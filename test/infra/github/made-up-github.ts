import { needsSuccessor } from "../../../infra/github/chain.ts";

const MINUTE = 60_000;

/** How a chain of runs, or a schedule alone, works. */
export interface Plan {
  parts: number;
  partMinutes: number;
  /** Whether a run that ends may start its successor. */
  chains: boolean;
}

/** What goes wrong; each a probability from 0 to 1 but for `days`, `hoursBetween` and `lateHours`. */
export interface Troubles {
  days: number;
  /** Between two ticks that GitHub really fires. */
  hoursBetween: readonly [least: number, most: number];
  /** A whole run is lost, and does not start its successor. */
  lost: number;
  /** Starting the successor fails. */
  refused: number;
  /** Every run fails within a minute from and to these hours; null: never. */
  broken: readonly [from: number, to: number] | null;
}

interface Run {
  id: number;
  startedAt: number;
  endsAt: number;
  isLost: boolean;
}

/** Getting a runner, checkout and packages, from GitHub's own logs of such jobs. */
const SETUP_MINUTES = { part: 1, run: 1.5 };

/**
 * GitHub with one concurrency group: one run works, one waits, and a newer one takes the place of
 * the one that waits.
 */
export function simulate(plan: Plan, troubles: Troubles, random: () => number) {
  const end = troubles.days * 24 * 60;
  const ticks: number[] = [];
  const [least, most] = troubles.hoursBetween;
  for (let at = random() * 60; at < end; at += (least + random() * (most - least)) * 60)
    ticks.push(at);
  const runs: Run[] = [];
  const worked: [from: number, to: number][] = [];
  const working: Run[] = [];
  let isWaiting = false;
  const isBroken = (at: number) =>
    troubles.broken !== null && at >= troubles.broken[0] * 60 && at < troubles.broken[1] * 60;

  function start(at: number): void {
    const isLost = random() < troubles.lost;
    const length = plan.parts * (plan.partMinutes + SETUP_MINUTES.part);
    let lasts = isLost ? random() * length : length;
    if (isBroken(at)) lasts = plan.parts;
    const begun = at + SETUP_MINUTES.run;
    const run = { id: runs.length + 1, startedAt: begun, endsAt: begun + lasts, isLost };
    runs.push(run);
    working.push(run);
    if (isBroken(at)) return;
    for (let part = 0; part < plan.parts; part++) {
      const from = begun + part * (plan.partMinutes + SETUP_MINUTES.part) + SETUP_MINUTES.part;
      const to = Math.min(from + plan.partMinutes, run.endsAt, end);
      if (to > from) worked.push([from, to]);
    }
  }

  function finish({ id, startedAt, endsAt, isLost }: Run): void {
    const waiting = isWaiting ? [{ id: id + 1, isOver: false }] : [];
    const all = [{ id, isOver: false }, ...waiting];
    const lastedMilliseconds = (endsAt - startedAt) * MINUTE;
    const mayStart = plan.chains && !isLost && random() >= troubles.refused;
    if (mayStart && needsSuccessor({ id, lastedMilliseconds, runs: all })) isWaiting = true;
    working.pop();
    if (!isWaiting) return;
    isWaiting = false;
    start(endsAt);
  }

  for (const tick of [...ticks, end]) {
    for (let [run] = working; run !== undefined && run.endsAt <= tick; [run] = working) finish(run);
    if (tick === end) break;
    if (working.length === 0) start(tick);
    else isWaiting = true;
  }
  const minutes = worked.reduce((sum, [from, to]) => sum + to - from, 0);
  return { coverage: minutes / end, worked, runs, longestGapMinutes: findLongestGap(worked, end) };
}

function findLongestGap(worked: readonly [number, number][], end: number): number {
  const from = [0, ...worked.map(([, to]) => to)];
  const to = [...worked.map(([begun]) => begun), end];
  return Math.max(...from.map((at, index) => (to[index] ?? at) - at));
}
