import type { ObjectKind, ObjectReference } from "../contract/objects.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { trackedEpochs } from "../ledger/points.ts";
import type { Touched } from "../ledger/touched.ts";

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
 * The objects that what an entry touched shows in: validators by ordinal, epochs ascending, then the lists. The lists
 * always: they also tell the time and the slot of the last snapshot, which touches nothing.
 */
export function touchedReferences(ledger: Ledger, touched: Touched): ObjectReference[] {
  const ofValidators = [...ledger.validators.entries()].flatMap(([ordinal, { vote }]) =>
    OF_VALIDATOR.filter((kind) => touched[SHOWN_BY[kind]].has(ordinal)).map((kind) => ofValidator(kind, vote)),
  );
  const epochs = [...touched.epochs].sort((a, b) => a - b);
  return [...ofValidators, ...epochs.map(ofEpoch), ...lists()];
}

/** Every object there can be in this state of the ledger, `status` excepted. */
export function allReferences(ledger: Ledger): ObjectReference[] {
  const ofValidators = ledger.validators.flatMap(({ vote, location }) =>
    OF_VALIDATOR.filter((kind) => kind !== "location" || location !== null).map((kind) => ofValidator(kind, vote)),
  );
  return [...ofValidators, ...trackedEpochs(ledger).map(ofEpoch), ...lists()];
}

function ofValidator(kind: (typeof OF_VALIDATOR)[number], votePubkey: string): ObjectReference {
  return { kind, names: { votePubkey } };
}

function ofEpoch(epoch: number): ObjectReference {
  return { kind: "epochEvents", names: { epoch } };
}

function lists(): ObjectReference[] {
  return LISTS.map((kind) => ({ kind, names: {} }));
}
