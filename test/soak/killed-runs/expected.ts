import type { Cluster } from "../../../infra/demo/cluster/cluster.ts";
import type { PlannedChange } from "../../../infra/demo/cluster/chain/planned-changes.ts";
import type { Entry } from "../../../generator/entries/entry.ts";
import { isReadByMajority, isShareOfMajority } from "./rates.ts";
import type { Witness } from "./witness.ts";

/** A reading may show what is so much later than its time. */
const READING_MILLISECONDS = 3_000;

/**
 * The planned changes that a generator cannot have missed: seen, and read by a majority in the account itself at that moment or
 * later (of inflation a snapshot does both), in the epoch in which they happened and before the next change of the same rate;
 * and every change before them likewise, or they would be told from another value. MEV that is switched off is not among them,
 * nor what follows it: only a closed epoch decides that.
 */
export function findCertain(cluster: Cluster, witness: Witness, until: number): PlannedChange[] {
  const since = timeOf(witness.observations[0]) ?? until;
  const lastEpoch = cluster.calendar.momentAt(until).epoch;
  const planned = cluster.plannedChanges(lastEpoch).filter(({ atMilliseconds }) => atMilliseconds > since);
  const byRate = Map.groupBy(planned, ({ vote, source }) => `${vote} ${source}`);
  return [...byRate.values()].flatMap((changes) => {
    const isCertain = (change: PlannedChange, index: number) => {
      const end = Math.min(endOfEpoch(cluster, change.epoch), changes[index + 1]?.atMilliseconds ?? until, until);
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
  const seen = observations.filter((one) => isWithin(one) && (!isMev || sharesIn(one, vote).includes(toBasisPoints)));
  const first = timeOf(seen[0]);
  if (first === null) return false;
  return readings.some(
    (one) =>
      isWithin(one) &&
      Date.parse(one.time) >= first &&
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

function timeOf(entry: Entry | undefined): number | null {
  return entry === undefined ? null : Date.parse(entry.time);
}

function endOfEpoch({ calendar, options }: Cluster, epoch: number): number {
  return calendar.timeOf(epoch - options.firstEpoch + 1, 0);
}
