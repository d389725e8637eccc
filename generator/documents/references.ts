import { FEED_SEVERITIES, FEEDS, type Feed } from "../contract/feed.ts";
import type { ObjectKind, ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/points.ts";
import type { Touched } from "../ledger/touched.ts";
import { ofClosedEpoch, OF_EVENTS, touchedExports } from "./exports/references.ts";

/** The objects of a validator. */
const OF_VALIDATOR = [
  "validator",
  "validatorEvents",
  "commissionHistory",
  "stakeHistory",
  "uptime",
  "location",
] as const satisfies ObjectKind[];

/** Which part of what was touched is shown by which object of a validator. */
const SHOWN_BY = {
  validator: "profiles",
  validatorEvents: "events",
  commissionHistory: "commissions",
  stakeHistory: "stakes",
  uptime: "uptime",
  location: "locations",
} as const satisfies Record<(typeof OF_VALIDATOR)[number], keyof Touched>;

/** The objects made from all of the ledger; the index last, because it is what the proxy switches over by. */
const LISTS = ["validators", "events", "rugsPerEpoch", "stakeConcentration", "index"] as const satisfies ObjectKind[];

/**
 * The objects that what an entry touched shows in: validators by ordinal, epochs ascending, exports and their list, feeds,
 * then the lists. The lists always: they also tell the time and the slot of the last snapshot, which touches nothing.
 */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const ofValidators = [...ledger.validators.entries()].flatMap(([ordinal, { vote }]) =>
    OF_VALIDATOR.filter((kind) => touched[SHOWN_BY[kind]].has(ordinal)).map((kind) => ofValidator(kind, vote)),
  );
  const epochs = [...touched.epochs].sort((a, b) => a - b);
  const feeds = FEEDS.filter((feed) => FEED_SEVERITIES[feed].some((severity) => touched.severities.has(severity)));
  const exports = withList(touchedExports(touched, ledger.epochs.at(-1)?.epoch ?? null));
  return [...ofValidators, ...epochs.map(ofEpoch), ...exports, ...feeds.flatMap(ofFeed), ...lists()];
}

/** Every object there can be in this state of the ledger, `status` excepted. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const ofValidators = ledger.validators.flatMap(({ vote, location }) =>
    OF_VALIDATOR.filter((kind) => kind !== "location" || location !== null).map((kind) => ofValidator(kind, vote)),
  );
  const tracked = trackedEpochs(ledger);
  const exports = withList([...tracked.slice(0, -1).flatMap(ofClosedEpoch), ...OF_EVENTS]);
  return [...ofValidators, ...tracked.map(ofEpoch), ...exports, ...FEEDS.flatMap(ofFeed), ...lists()];
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

function lists(): ObjectReference[] {
  return LISTS.map((kind) => ({ kind, names: {} }));
}
