import { FEEDS, type Feed } from "../contract/feed.ts";
import type { ObjectKind, ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/points.ts";
import type { Touched } from "../ledger/touched.ts";

type ExportKind = "eventsCsv" | "eventsParquet" | "historyCsv" | "historyParquet";

/** Names one file that can be downloaded. */
export type ExportReference = Extract<ObjectReference, { kind: ExportKind }>;

/** The events of all closed epochs. */
export const OF_EVENTS = [
  { kind: "eventsCsv", names: {} },
  { kind: "eventsParquet", names: {} },
] as const satisfies ExportReference[];

/** The objects of a validator. */
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

/** Which part of what was touched is shown by which object of a validator. */
const SHOWN_BY = {
  // Its verdict is made of what it did.
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

/** The objects made from all of the ledger; the index last, because it is what the proxy switches over by. */
const LISTS = (["validators", "events", "rugsPerEpoch", "stakeConcentration", "sitemap", "index"] as const).map(
  (kind): ObjectReference => ({ kind, names: {} }),
);

/**
 * The objects that what an entry touched shows in: validators by ordinal, epochs ascending, exports and their list, feeds,
 * then the lists. The lists always: they also tell the time and the slot of the last snapshot, which touches nothing.
 */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const ofValidators = [...ledger.validators.entries()].flatMap(([ordinal, { vote }]) =>
    OF_VALIDATOR.filter((kind) => SHOWN_BY[kind].some((part) => touched[part].has(ordinal))).map((kind) =>
      ofValidator(kind, vote),
    ),
  );
  const epochs = [...touched.epochs.union(touchedRugs(ledger, touched))].sort((a, b) => a - b);
  // An event of any severity may be a repeat that an entry of another counts.
  const feeds = touched.severities.size === 0 ? [] : FEEDS;
  const exports = withList(touchedExports(touched, ledger.epochs.at(-1)?.epoch ?? null));
  return [...ofValidators, ...epochs.map(ofEpoch), ...exports, ...feeds.flatMap(ofFeed), ...LISTS];
}

/** Epochs of the RUGs of whom events changed: what stands at one of them of a pattern hangs on those before it. */
function touchedRugs({ events }: Ledger, touched: Touched): Set<number> {
  const rugs = events.filter(({ ordinal, severity }) => severity === "RUG" && touched.events.has(ordinal));
  return new Set(rugs.map(({ epoch }) => epoch));
}

/** Every object there can be in this state of the ledger, `status` excepted. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const ofValidators = ledger.validators.flatMap(({ vote, location }) =>
    OF_VALIDATOR.filter((kind) => kind !== "location" || location !== null).map((kind) => ofValidator(kind, vote)),
  );
  const tracked = trackedEpochs(ledger);
  const exports = withList([...tracked.slice(0, -1).flatMap(ofClosedEpoch), ...OF_EVENTS]);
  return [...ofValidators, ...tracked.map(ofEpoch), ...exports, ...FEEDS.flatMap(ofFeed), ...LISTS];
}

/** What names the files of one epoch. */
export function ofClosedEpoch(epoch: number): ExportReference[] {
  return [
    { kind: "historyCsv", names: { epoch } },
    { kind: "historyParquet", names: { epoch } },
  ];
}

/**
 * The exports that show what was touched. None while only the running epoch is: they are written when an epoch closes, and
 * again when something is learnt of a closed one. Epochs that a restarted cluster has not reached any more are among them,
 * so that their files are no longer counted as published.
 */
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

/** The list of exports tells the size and the hash of each: it changes with any of them. */
function withList(exports: readonly ObjectReference[]): ObjectReference[] {
  return exports.length === 0 ? [] : [...exports, { kind: "exports", names: {} }];
}
