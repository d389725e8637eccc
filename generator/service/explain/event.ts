import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/records.ts";

/** An event as it is explained, all of it as the ledger has it. */
export interface ExplainedEvent extends Omit<EventRecord, "ordinal"> {
  votePubkey: string;
  validatorName: string | null;
  /** The ruling that took it back, or that brought it back again; null: nobody ruled on it. */
  ruling: { verdict: "accept" | "ignore"; reason: string; ruledAt: string; name: string } | null;
}

/** @throws {Error} for an event of nobody: the ledger that is passed in has not recorded it */
export function toExplained({ validators, rulings }: Ledger, { ordinal, ...event }: EventRecord): ExplainedEvent {
  const validator = validators[ordinal];
  if (validator === undefined) throw new Error(`the event ${event.id} is of no validator of this ledger`);
  const { vote: votePubkey, name: validatorName } = validator;
  return { ...event, votePubkey, validatorName, ruling: rulings.events.get(event.id) ?? null };
}

/** Hexadecimal digits of an event's id (ledger/events.ts), and how many of the first must be given. */
const ID_DIGITS = 24;
const PREFIX_DIGITS_MIN = 6;
const NAMED_MOST = 5;

/**
 * Also one that a ruling took back.
 * @throws {Error} for what is no id, the beginning of several or of none: says where ids are to be found
 */
export function findEvent({ network, events, withdrawn }: Ledger, text: string): EventRecord {
  if (!new RegExp(`^[0-9a-f]{${PREFIX_DIGITS_MIN},${ID_DIGITS}}$`).test(text)) {
    throw new Error(
      `${JSON.stringify(text.slice(0, 80))} is not an event id: give its ${ID_DIGITS} digits (0-9, a-f), or at least the first ${PREFIX_DIGITS_MIN}`,
    );
  }
  const all = [...events, ...withdrawn];
  const found = all.filter(({ id }) => id.startsWith(text));
  const [first] = found;
  if (first === undefined) {
    throw new Error(
      `none of the ${all.length} events of ${network} has the id ${text}: ids are in api/v1/${network}/events.json and in each validator's events.json; of events taken back, in status.json`,
    );
  }
  if (found.length === 1) return first;
  const ids = found.slice(0, NAMED_MOST).map(({ id }) => id);
  throw new Error(
    `${found.length} events begin with ${text}: ${ids.join(", ")}${found.length > ids.length ? ", …" : ""}`,
  );
}
