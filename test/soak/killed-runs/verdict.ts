import type { CommissionEvent } from "../../../generator/contract/event.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { judgeCreation } from "./creation.ts";
import { isTrue, readPublishedEvents, tellEvent, tellPlanned } from "./events.ts";
import { findCertain } from "./expected.ts";
import type { Side as Stores, Sides } from "./site.ts";
import { judgeUptime } from "./uptime.ts";
import { readWitness, type Witness } from "./witness.ts";

export interface Verdict {
  /** Figures, a line each. */
  summary: string[];
  /** What must not be, a line each; none: nothing was lost or doubled. */
  differences: string[];
}

interface Side {
  witness: Witness;
  events: CommissionEvent[];
  /** What it cannot have missed. */
  certain: Set<string>;
  uptime: Awaited<ReturnType<typeof judgeUptime>>;
}

/**
 * Compares what was published after the kills with what the cluster did and with what undisturbed generators published.
 *
 * @param appended names of the entries that a process was told to be in the journal.
 * @param until when observing ended, in milliseconds since 1970.
 */
export async function compare(
  sides: Sides,
  { cluster, appended, until }: { cluster: Cluster; appended: readonly string[]; until: number },
): Promise<Verdict> {
  const readSide = async ({ publicStore, stateStore }: Stores): Promise<Side> => {
    const witness = await readWitness(stateStore);
    const certain = new Set(findCertain(cluster, witness, until).map(tellPlanned));
    const uptime = await judgeUptime(publicStore, witness);
    return { witness, events: await readPublishedEvents(publicStore), certain, uptime };
  };
  const [killed, calm] = [await readSide(sides.killed), await readSide(sides.calm)];
  const lost = appended.filter((name) => !killed.witness.names.has(name));
  const inBoth = killed.certain.intersection(calm.certain);
  return {
    summary: [
      ...[["killed", killed] as const, ["undisturbed", calm] as const].map(
        ([name, { witness, events, certain, uptime }]) =>
          `${name}: ${witness.names.size} entries, ${witness.observations.length} observations accepted, ${events.length} events, of which ${certain.size} planned changes that it cannot have missed; ${uptime.minutes} minutes of ${uptime.validators} validators counted`,
      ),
      `${appended.length} entries were reported as appended; ${inBoth.size} planned changes that neither can have missed`,
      `events that only one side had to see: ${countOnly(killed, calm)} only after the kills, ${countOnly(calm, killed)} only undisturbed`,
    ],
    differences: [
      ...lost.map((name) => `lost: the entry ${name} was reported as appended`),
      ...findFaults("killed", killed, cluster),
      ...findFaults("undisturbed", calm, cluster),
      ...findUnequal(killed, calm, inBoth),
      ...(inBoth.size === 0 ? ["nothing to compare: no change was seen for certain by both"] : []),
    ],
  };
}

/** What is wrong with one side alone. */
function findFaults(name: string, { witness, events, certain, uptime }: Side, cluster: Cluster): string[] {
  const told = events.map(tellEvent);
  return [
    ...(witness.unreadable > 0 ? [`${name}: ${witness.unreadable} entries cannot be read`] : []),
    ...findRepeated(events.map(({ id }) => id)).map((id) => `${name}: the event ${id} appears more than once`),
    ...findRepeated(told).map((event) => `${name}: told more than once: ${event}`),
    ...[...certain].filter((change) => !told.includes(change)).map((change) => `${name}: missing: ${change}`),
    ...events.flatMap((event) => judgeCreation(event, witness)).map((fault) => `${name}: ${fault}`),
    ...uptime.faults.map((fault) => `${name}: ${fault}`),
    ...(uptime.validators === 0 ? [`${name}: no validator was there all the time: no uptime to compare`] : []),
    ...events.filter((event) => !isTrue(cluster, event)).map((event) => `${name}: never happened: ${tellEvent(event)}`),
  ];
}

/** Events of what both must have seen that are not the same. */
function findUnequal(killed: Side, calm: Side, inBoth: Set<string>): string[] {
  const idsOf = ({ events }: Side) => new Map(events.map((event) => [tellEvent(event), event.id]));
  const [killedIds, calmIds] = [idsOf(killed), idsOf(calm)];
  return [...inBoth]
    .filter((change) => killedIds.get(change) !== calmIds.get(change))
    .map((change) => `not the same event on both sides: ${change}`);
}

function findRepeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

function countOnly(one: Side, other: Side): number {
  const others = new Set(other.events.map(({ id }) => id));
  return one.events.filter(({ id }) => !others.has(id)).length;
}
