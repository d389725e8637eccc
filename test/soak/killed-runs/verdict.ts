import type { CommissionEvent } from "../../../generator/contract/event.ts";
import { fromObjectKey, toObjectKey } from "../../../generator/contract/objects.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import type { ObjectStore } from "../../../generator/store/store.ts";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import { tellEvent, tellPlanned, toPercent } from "../../service/planned-events.ts";
import { judgeCreation, judgeUptime, readDocument, readWitness, type Witness } from "../judging.ts";
import { isReadByMajority, isShareOfMajority } from "../rates.ts";
import type { Side } from "./site.ts";

/**
 * Compares what was published after the kills with what the journal says and with what the cluster did.
 *
 * @param appended names of the entries that a process was told to be in the journal
 * @param until when observing ended, in milliseconds since 1970
 * @returns figures, and what must not be, a line each
 */
export async function judge(
  { publicStore, stateStore }: Side,
  { cluster, appended, until }: { cluster: Cluster; appended: readonly string[]; until: number },
): Promise<{ summary: string; faults: string[] }> {
  const witness = await readWitness(stateStore);
  const certain = findCertain(cluster, witness, until).map(tellPlanned);
  const uptime = await judgeUptime(publicStore, witness);
  const events = await readEvents(publicStore);
  const told = events.map(tellEvent);
  const summary =
    `${witness.names.size} entries, of ${appended.length} a process was told; ${witness.observations.length} observations ` +
    `accepted, ${events.length} events, of which ${certain.length} cannot have been missed; ` +
    `${uptime.minutes} minutes of ${uptime.validators} validators counted`;
  const faults = [
    ...appended.filter((name) => !witness.names.has(name)).map((name) => `lost: ${name} was reported as appended`),
    ...witness.unreadable.map((name) => `${name} cannot be read`),
    ...findRepeated(events.map(({ id }) => id)).map((id) => `the event ${id} appears more than once`),
    ...findRepeated(told).map((event) => `told more than once: ${event}`),
    ...certain.filter((change) => !told.includes(change)).map((change) => `missing: ${change}`),
    ...events.filter((event) => !isTrue(cluster, event)).map((event) => `never happened: ${tellEvent(event)}`),
    ...events.flatMap((event) => judgeCreation(event, witness)),
    ...uptime.faults,
    ...(uptime.validators === 0 ? ["no validator was there all the time: no uptime to compare"] : []),
    ...(certain.length === 0 ? ["nothing to compare: no change was seen for certain"] : []),
  ];
  return { summary, faults };
}

/** All events as they are published, from the documents of all validators. */
async function readEvents(store: ObjectStore): Promise<CommissionEvent[]> {
  const events: CommissionEvent[] = [];
  for await (const { key } of store.list("api/v1/mainnet/validators/")) {
    const reference = fromObjectKey("mainnet", key);
    if (reference?.kind !== "validatorEvents") continue;
    events.push(...(await readDocument(store, "validatorEvents", reference.names)).data);
  }
  return events;
}

const SLOTS_NEWER = 120;

/** Whether the chain had both rates of an event where it says it saw them. */
function isTrue(cluster: Cluster, event: CommissionEvent): boolean {
  const { calendar, members, commissions, mev, options } = cluster;
  const member = members.find(({ vote }) => vote.address === event.votePubkey);
  if (member === undefined || (event.previousSlot === null && event.transaction === null)) return false;
  // What only its transaction tells is of that slot, and of the rate just before.
  const previousSlot = event.previousSlot ?? event.slot - 1;
  const before = calendar.momentOfSlot(previousSlot);
  if (event.source === "COMMISSION") {
    // The slot of an observation is its newest vote: what it shows may be some slots newer.
    const rates = (slot: number) =>
      [0, SLOTS_NEWER].map((more) => toPercent(commissions.basisPointsAt(member, calendar.momentOfSlot(slot + more))));
    return rates(previousSlot).includes(event.fromCommission) && rates(event.slot).includes(event.toCommission);
  }
  // A share is that of an epoch, and until the validator leads in it, the vendor shows the one before.
  const shareOf = (ordinal: number) => toPercent(mev.basisPointsOf(member, ordinal));
  const ordinal = event.epoch - options.firstEpoch;
  const earlier = [before.ordinal, before.ordinal - 1, ordinal - 1].map(shareOf);
  return shareOf(ordinal) === event.toCommission && earlier.includes(event.fromCommission);
}

function findRepeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
}

/** A reading may show what is so much later than its time. */
const READING_MILLISECONDS = 3_000;

/**
 * The planned changes that a generator cannot have missed: seen, and read by a majority in the account itself at that moment or
 * later (of inflation a snapshot does both), in the epoch in which they happened and before the next change of the same rate;
 * and every change before them likewise, or they would be told from another value. MEV that is switched off is not among them,
 * nor what follows it: only a closed epoch decides that.
 */
function findCertain(cluster: Cluster, witness: Witness, until: number): PlannedChange[] {
  const { calendar, options } = cluster;
  const since = Date.parse(witness.observations[0]?.time ?? new Date(until).toISOString());
  const planned = cluster
    .plannedChanges(calendar.momentAt(until).epoch)
    .filter(({ atMilliseconds }) => atMilliseconds > since);
  return [...Map.groupBy(planned, ({ vote, source }) => `${vote} ${source}`).values()].flatMap((changes) => {
    const isCertain = (change: PlannedChange, index: number) => {
      const endOfEpoch = calendar.timeOf(change.epoch - options.firstEpoch + 1, 0);
      const end = Math.min(endOfEpoch, changes[index + 1]?.atMilliseconds ?? until, until);
      return isSettledWithin(change, witness, end - READING_MILLISECONDS);
    };
    const firstDoubtful = changes.findIndex((change, index) => !isCertain(change, index));
    return firstDoubtful === -1 ? changes : changes.slice(0, firstDoubtful);
  });
}

function isSettledWithin(change: PlannedChange, { observations, readings }: Witness, end: number): boolean {
  const { vote, source, atMilliseconds: begin, toBasisPoints, fromBasisPoints } = change;
  const isMev = source === "MEV";
  if (isMev && (toBasisPoints === null || fromBasisPoints === null)) return false;
  const isWithin = ({ time }: Entry) => Date.parse(time) >= begin && Date.parse(time) < end;
  if (isMev && lastShare(observations, change) !== fromBasisPoints) return false;
  const first = observations.find((one) => isWithin(one) && (!isMev || sharesIn(one, vote).includes(toBasisPoints)));
  return readings.some(
    (one) =>
      first !== undefined &&
      isWithin(one) &&
      Date.parse(one.time) >= Date.parse(first.time) &&
      (isMev ? isShareOfMajority(one, vote, toBasisPoints ?? -1) : isReadByMajority(one, vote)),
  );
}

/** What was shown of a share last before it changed: where that was not what it changed from, the change cannot be seen. */
function lastShare(observations: readonly Entry[], { vote, atMilliseconds }: PlannedChange): number | null | undefined {
  const before = observations.filter(({ time }) => Date.parse(time) < atMilliseconds);
  return before.flatMap((one) => sharesIn(one, vote)).at(-1);
}

/** Until a validator leads in an epoch, the vendor's list still has its share of the one before. */
function sharesIn(entry: Entry, vote: string): (number | null)[] {
  if (entry.kind !== "snapshot") return [];
  const { mev, tips } = entry;
  const rows = [...(mev.state === "ok" ? mev.value.rows : []), ...(tips.state === "ok" ? tips.value.rows : [])];
  return rows.filter((row) => row.vote === vote).map(({ mevBasisPoints }) => mevBasisPoints);
}

const STATUS_KEY = toObjectKey("mainnet", "status", {});

/** Compares every public object by its bytes; but for the status, which carries the time of its own making. */
export async function compareObjects(one: ObjectStore, other: ObjectStore): Promise<string[]> {
  const [found, expected] = [await readAll(one), await readAll(other)];
  const keys = [...new Set([...found.keys(), ...expected.keys()])].filter((key) => key !== STATUS_KEY);
  const isEqual = (key: string) => found.has(key) && expected.get(key)?.equals(found.get(key)!) === true;
  return keys.filter((key) => !isEqual(key)).map((key) => `${key} is not as a rebuild makes it`);
}

async function readAll(store: ObjectStore): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>();
  for await (const { key } of store.list("")) bodies.set(key, Buffer.from((await store.get(key))?.body ?? []));
  return bodies;
}
