import { FEEDS } from "../contract/feed.ts";
import { toSegment } from "../contract/change.ts";
import type { ObjectNames, Subject } from "../contract/object-kind.ts";
import { OBJECTS, type ObjectKind, type ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { toMonth } from "../ledger/uptime/uptime.ts";
import { trackedEpochs } from "../ledger/tracked-epochs.ts";
import type { Touched } from "../ledger/touched.ts";
import { touchedByIncidents } from "../views/incidents.ts";

/** What changed since a publication, by what objects show. */
interface Differing {
  /** Indexes of validators. */
  validators: Partial<Record<Subject, ReadonlySet<number>>>;
  epochs: Partial<Record<Subject, readonly number[]>>;
  segments: readonly number[];
  /** `YYYY-MM`. */
  months: readonly string[];
  /** Of any validator or epoch. */
  any: Partial<Record<Subject, boolean>>;
}

/** The objects that show something that was touched. */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const { profiles, events, costs, histories, uptime, changesSince, months } = touched;
  const incidents = touchedByIncidents(ledger, touched);
  const ofEvents = epochsOf(ledger, events.union(costs).union(incidents));
  return toReferences(ledger, {
    validators: { profiles, events, costs, histories, uptime, incidents },
    epochs: {
      epochs: [...touched.epochs.union(ofEvents)],
      closedEpochs: closedEpochsTouched(ledger, touched),
    },
    segments: segmentsSince(ledger, changesSince),
    months: [...months],
    any: {
      profiles: profiles.size > 0,
      costs: costs.size > 0,
      events: events.size > 0 || isFirstEpoch(ledger, touched),
      changes: changesSince < Infinity,
      closedEpochs: areExportsTouched(ledger, touched),
      // A stake history may be all that is known of an epoch's stake.
      epochList: touched.epochs.size + histories.size > 0 || touched.pointsSince < Infinity,
      anything: isAnyTouched(touched),
    },
  });
}

/** Every object of a ledger, except those that are published separately; some render to nothing. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const all = new Set(ledger.validators.keys());
  const epochs = trackedEpochs(ledger);
  return toReferences(ledger, {
    validators: { profiles: all, events: all, costs: all, histories: all, uptime: all },
    epochs: { epochs, closedEpochs: epochs.slice(0, -1) },
    segments: segmentsSince(ledger, 1),
    months: [...new Set([...ledger.uptime.checks.keys()].map(toMonth))],
    any: {
      profiles: true,
      events: true,
      costs: true,
      changes: true,
      closedEpochs: true,
      epochList: true,
      anything: true,
    },
  });
}

function toReferences({ validators }: Ledger, differing: Differing): ObjectReference[] {
  const isAny = (shows: readonly Subject[]) =>
    shows.some((subject) => differing.any[subject] === true);
  const names: {
    [Named in keyof ObjectNames]: (shows: readonly Subject[]) => ObjectNames[Named][];
  } = {
    none: (shows) => (isAny(shows) ? [{}] : []),
    votePubkey: (shows) =>
      validators
        .filter((_, index) => shows.some((subject) => differing.validators[subject]?.has(index)))
        .map(({ vote }) => ({ votePubkey: vote })),
    epoch: (shows) =>
      shows.flatMap((subject) => (differing.epochs[subject] ?? []).map((epoch) => ({ epoch }))),
    feed: (shows) => (isAny(shows) ? FEEDS.map((feed) => ({ feed })) : []),
    segment: () => differing.segments.map((segment) => ({ segment })),
    month: () => differing.months.map((month) => ({ month })),
    shard: () => [],
  };
  return (Object.keys(OBJECTS) as ObjectKind[]).flatMap((kind) => {
    const { named, shows } = OBJECTS[kind];
    return names[named](shows).map((each) => ({ kind, names: each }) as ObjectReference);
  });
}

/** Feeds begin with the first observed epoch. */
function isFirstEpoch({ epochs: [first, second] }: Ledger, { epochs }: Touched): boolean {
  return first !== undefined && second === undefined && epochs.has(first.epoch);
}

function isAnyTouched({ changesSince, pointsSince, isTimeTouched, ...sets }: Touched): boolean {
  return (
    isTimeTouched ||
    Math.min(pointsSince, changesSince) < Infinity ||
    Object.values(sets).some(({ size }) => size > 0)
  );
}

/**
 * Epochs of these validators' events. Each event has the name; its pattern depends on the events
 * before it, and its incident on those of other validators.
 */
function epochsOf({ events }: Ledger, validatorIndexes: ReadonlySet<number>): Set<number> {
  return new Set(
    events.flatMap(({ validatorIndex, epoch }) =>
      validatorIndexes.has(validatorIndex) ? [epoch] : [],
    ),
  );
}

/** No export has rows of the running epoch. */
function areExportsTouched({ epochs }: Ledger, touched: Touched): boolean {
  const running = epochs.at(-1)?.epoch ?? 0;
  return touched.pointsSince < Infinity || [...touched.epochs].some((epoch) => epoch !== running);
}

/** Includes epochs that are no longer closed: their files must no longer count as published. */
function closedEpochsTouched(ledger: Ledger, touched: Touched): number[] {
  if (!areExportsTouched(ledger, touched)) return [];
  const running = ledger.epochs.at(-1)?.epoch ?? 0;
  const closed = trackedEpochs(ledger).filter(
    (epoch) => epoch >= touched.pointsSince && epoch < running,
  );
  return [...new Set(closed).union(touched.undone)];
}

/** Numbers of full segments that hold a change with this number or a later one. */
function segmentsSince({ changes }: Ledger, since: number): number[] {
  if (since === Infinity) return [];
  const first = toSegment(since);
  return Array.from(
    { length: Math.max(0, changes.full.length - first + 1) },
    (_, index) => first + index,
  );
}
