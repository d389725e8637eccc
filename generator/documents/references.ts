import { FEEDS, type Feed } from "../contract/feed.ts";
import type { ObjectKind, ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/points.ts";
import type { Touched } from "../ledger/touched.ts";

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

/** By the touched parts that it shows. */
const SHOWN_BY = {
  // The profile's verdict depends on events.
  validator: ["profiles", "events", "commissions", "stakes"],
  validatorEvents: ["events"],
  commissionHistory: ["commissions"],
  stakeHistory: ["stakes"],
  uptime: ["uptime"],
  location: ["locations"],
  validatorAtomFeed: ["events"],
  validatorJsonFeed: ["events"],
  badge: ["events", "commissions"],
  page: ["profiles", "events", "commissions"],
} as const satisfies Record<(typeof OF_VALIDATOR)[number], readonly (keyof Touched)[]>;

/** The proxy switches over by the index: last. */
const LISTS = (["validators", "events", "rugsPerEpoch", "stakeConcentration", "sitemap", "index"] as const).map(
  (kind): ObjectReference => ({ kind, names: {} }),
);

/** The lists always: they tell the last snapshot's time and slot. */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const ofValidators = [...ledger.validators.entries()].flatMap(([ordinal, { vote }]) =>
    OF_VALIDATOR.filter((kind) => SHOWN_BY[kind].some((part) => touched[part].has(ordinal))).map((kind) =>
      ofValidator(kind, vote),
    ),
  );
  const epochs = [...touched.epochs.union(touchedRugs(ledger, touched))].sort((a, b) => a - b);
  // It may be a repeat counted by an entry of another severity.
  const feeds = touched.severities.size === 0 ? [] : FEEDS;
  const exports = withList(touchedExports(touched, ledger.epochs.at(-1)?.epoch ?? null));
  return [...ofValidators, ...epochs.map(ofEpoch), ...exports, ...feeds.flatMap(ofFeed), ...LISTS];
}

/** A RUG's pattern depends on the events before it. */
function touchedRugs({ events }: Ledger, touched: Touched): Set<number> {
  const rugs = events.filter(({ ordinal, severity }) => severity === "RUG" && touched.events.has(ordinal));
  return new Set(rugs.map(({ epoch }) => epoch));
}

/** Except `status`. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const ofValidators = ledger.validators.flatMap(({ vote, location }) =>
    OF_VALIDATOR.filter((kind) => kind !== "location" || location !== null).map((kind) => ofValidator(kind, vote)),
  );
  const tracked = trackedEpochs(ledger);
  const exports = withList([...tracked.slice(0, -1).flatMap(ofClosedEpoch), ...OF_EVENTS]);
  return [...ofValidators, ...tracked.map(ofEpoch), ...exports, ...FEEDS.flatMap(ofFeed), ...LISTS];
}

export function ofClosedEpoch(epoch: number): ExportReference[] {
  return [
    { kind: "historyCsv", names: { epoch } },
    { kind: "historyParquet", names: { epoch } },
  ];
}

/** With epochs that a restarted cluster no longer reached: their files must stop counting as published. */
function touchedExports({ points, epochs }: Touched, running: number | null): ExportReference[] {
  const ofHistory = [...points].sort((a, b) => a - b);
  if (ofHistory.length === 0 && ![...epochs].some((epoch) => epoch !== running)) return [];
  return [...ofHistory.flatMap(ofClosedEpoch), ...OF_EVENTS];
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

/** It has the size and hash of each export. */
function withList(exports: readonly ObjectReference[]): ObjectReference[] {
  return exports.length === 0 ? [] : [...exports, { kind: "exports", names: {} }];
}
