import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { toMoves } from "../../ledger/proof/proof-moves.ts";
import { isWithdrawn } from "../../ledger/rulings.ts";
import { toPriced } from "./costs.ts";
import { toEffective, type BareEvent } from "./effects.ts";
import { createIds } from "./event-id.ts";
import { mevEvents, observedInflationEvents } from "./observed-events.ts";
import { type Proved, proveEvents } from "./proved-events.ts";
import { createSampling } from "./sampled-events.ts";

/** Of one validator. */
interface Events {
  events: EventRecord[];
  /** Basis points that transactions prove to have stood at an epoch's end. */
  proved: Proved["byEpoch"];
}

/** @param before the validator's events so far: each keeps its id and the time when it came */
type MakeEvents = (validatorIndex: number, before: readonly EventRecord[]) => Events;

/**
 * Derives all events of a validator from its facts: from neighbouring runs that differ, from
 * transactions that prove these changes or others between them, and from samples of public
 * histories.
 * @param time of the newest entry; ISO 8601 in UTC
 */
export function createEvents(ledger: Ledger, time: string): MakeEvents {
  const sample = createSampling(ledger);
  return (validatorIndex, before) => {
    const validator = ledger.validators[validatorIndex];
    if (validator === undefined) return { events: [], proved: new Map() };
    const ids = createIds(ledger, before);
    const subject = { ledger, validatorIndex, validator, ids, moves: toMoves(validator), time };
    const { events: proved, byEpoch } = proveEvents(subject, observedInflationEvents(subject));
    const seen = [...proved, ...mevEvents(subject)];
    const sampled = sample({ validatorIndex, validator, seen, proved: byEpoch });
    return { events: toEvents(ledger, [...seen, ...sampled]), proved: byEpoch };
  };
}

/**
 * Adds costs and first paying epochs, as far as sets, stakes and rewards are known. A withdrawn
 * change does not end the change before it.
 */
export function toEvents(ledger: Ledger, changes: readonly BareEvent[]): EventRecord[] {
  const { published = [], withdrawn = [] } = Object.groupBy(changes, (change) =>
    isWithdrawn(ledger, change) ? "withdrawn" : "published",
  );
  return [published, withdrawn].flatMap((own) => toPriced(ledger, toEffective(ledger, own)));
}
