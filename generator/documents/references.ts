import { FEEDS, type Feed } from "../contract/feed.ts";
import { toSegment } from "../contract/change.ts";
import type { ObjectKind, ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { ValidatorRecord } from "../ledger/records.ts";
import { trackedEpochs } from "../ledger/tracked-epochs.ts";
import type { Touched } from "../ledger/touched.ts";
import { touchedByIncidents } from "../views/incidents.ts";

type ExportKind = "eventsCsv" | "eventsParquet" | "historyCsv" | "historyParquet";

export type ExportReference = Extract<ObjectReference, { kind: ExportKind }>;

export const OF_EVENTS = [
  { kind: "eventsCsv", names: {} },
  { kind: "eventsParquet", names: {} },
] as const satisfies ExportReference[];

const OF_VALIDATOR = [
  "validator",
  "validatorEvents",
  "commissionHistory",
  "stakeHistory",
  "uptime",
  "location",
  "validatorAtomFeed",
  "validatorJsonFeed",
  "badge",
  "page",
] as const satisfies ObjectKind[];

/** By the touched parts that it shows. Verdicts depend on events, histories and profiles. */
const PARTS_OF = {
  validator: ["profiles", "events", "prices", "histories"],
  validatorEvents: ["events", "prices"],
  commissionHistory: ["events", "histories"],
  stakeHistory: ["histories"],
  uptime: ["uptime"],
  location: ["profiles"],
  validatorAtomFeed: ["events"],
  validatorJsonFeed: ["events"],
  badge: ["profiles", "events", "prices", "histories"],
  page: ["profiles", "events", "prices", "histories"],
} as const satisfies Record<(typeof OF_VALIDATOR)[number], readonly (keyof Touched)[]>;

/** The proxy switches over by the index: last. */
const LISTS = (
  ["validators", "events", "rugsPerEpoch", "stakeConcentration", "sitemap", "index"] as const
).map((kind): ObjectReference => ({ kind, names: {} }));

/** The lists with anything: they show a part of all, and the last snapshot's time. */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const besides = touchedByIncidents(ledger, touched);
  const isTouched = (kind: (typeof OF_VALIDATOR)[number], validatorIndex: number) =>
    PARTS_OF[kind].some((part) => touched[part].has(validatorIndex)) ||
    (kind === "validatorEvents" && besides.has(validatorIndex));
  const ofValidators = [...ledger.validators.entries()].flatMap(([validatorIndex, validator]) =>
    kindsOf(validator)
      .filter((kind) => isTouched(kind, validatorIndex))
      .map((kind) => ofValidator(kind, validator.vote)),
  );
  const ofEvents = epochsOf(ledger, touched.events.union(touched.prices).union(besides));
  const epochs = [...touched.epochs.union(ofEvents)].sort((a, b) => a - b);
  // They begin with the first observed epoch.
  const [first, second] = ledger.epochs;
  const isBegun = first !== undefined && second === undefined && touched.epochs.has(first.epoch);
  const feeds = touched.events.size > 0 || isBegun ? FEEDS : [];
  const exports = withList(touchedExports(ledger, touched));
  return [
    ...ofValidators,
    ...epochs.map(ofEpoch),
    ...exports,
    ...feeds.flatMap(ofFeed),
    ...ofChanges(ledger, touched.changesSince),
    ...(isAny(touched) ? LISTS : []),
  ];
}

function isAny({ changesSince, pointsSince, isTimeShown, ...sets }: Touched): boolean {
  return (
    isTimeShown ||
    Math.min(pointsSince, changesSince) < Infinity ||
    Object.values(sets).some(({ size }) => size > 0)
  );
}

/**
 * Of their events: each has the name, its pattern depends
 * on the events before it, its incident on those of others.
 */
function epochsOf({ events }: Ledger, validatorIndexes: ReadonlySet<number>): Set<number> {
  return new Set(
    events.flatMap(({ validatorIndex, epoch }) =>
      validatorIndexes.has(validatorIndex) ? [epoch] : [],
    ),
  );
}

/** Except `status`. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const ofValidators = ledger.validators.flatMap((validator) =>
    kindsOf(validator).map((kind) => ofValidator(kind, validator.vote)),
  );
  const tracked = trackedEpochs(ledger);
  const exports = withList([...tracked.slice(0, -1).flatMap(ofClosedEpoch), ...OF_EVENTS]);
  return [
    ...ofValidators,
    ...tracked.map(ofEpoch),
    ...exports,
    ...FEEDS.flatMap(ofFeed),
    ...ofChanges(ledger, 1),
    ...LISTS,
  ];
}

export function ofClosedEpoch(epoch: number): ExportReference[] {
  return [
    { kind: "historyCsv", names: { epoch } },
    { kind: "historyParquet", names: { epoch } },
  ];
}

/** With epochs that are closed no more: their files must stop counting as published. */
function touchedExports(
  ledger: Ledger,
  { epochs, undone, pointsSince }: Touched,
): ExportReference[] {
  const running = ledger.epochs.at(-1)?.epoch ?? 0;
  const closed = trackedEpochs(ledger).filter((epoch) => epoch >= pointsSince && epoch < running);
  const isTouched = pointsSince < Infinity || [...epochs].some((epoch) => epoch !== running);
  return isTouched
    ? [
        ...[...new Set(closed).union(undone)].sort((a, b) => a - b).flatMap(ofClosedEpoch),
        ...OF_EVENTS,
      ]
    : [];
}

function kindsOf({ location }: ValidatorRecord): (typeof OF_VALIDATOR)[number][] {
  return OF_VALIDATOR.filter((kind) => kind !== "location" || location !== null);
}

function ofValidator(kind: (typeof OF_VALIDATOR)[number], votePubkey: string): ObjectReference {
  return { kind, names: { votePubkey } };
}

function ofEpoch(epoch: number): ObjectReference {
  return { kind: "epochEvents", names: { epoch } };
}

function ofFeed(feed: Feed): ObjectReference[] {
  return [
    { kind: "atomFeed", names: { feed } },
    { kind: "jsonFeed", names: { feed } },
  ];
}

/** The newest ones last: who has read that they are there finds the segments before them. */
function ofChanges(ledger: Ledger, since: number): ObjectReference[] {
  if (since === Infinity) return [];
  const [first, last] = [toSegment(since), ledger.changes.full.length];
  const segments = Array.from(
    { length: Math.max(0, last - first + 1) },
    (_, index) => first + index,
  );
  return [
    ...segments.map((segment): ObjectReference => ({ kind: "changeSegment", names: { segment } })),
    { kind: "newestChanges", names: {} },
  ];
}

/** It has the size and hash of each export. */
function withList(exports: readonly ObjectReference[]): ObjectReference[] {
  return exports.length === 0 ? [] : [...exports, { kind: "exports", names: {} }];
}
