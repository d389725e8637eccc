import type { Ledger } from "../../ledger/ledger.ts";
import type { EventRecord } from "../../ledger/event-record.ts";

/** The event as `generate explain` shows it: by vote account instead of by index. */
export interface ExplainedEvent extends Omit<EventRecord, "validatorIndex"> {
  votePubkey: string;
  validatorName: string | null;
  /** The ruling that withdrew or restored it. */
  ruling: { verdict: "accept" | "ignore"; reason: string; ruledAt: string; name: string } | null;
}

/** @throws {Error} for an event of another ledger */
export function toExplained(
  { validators, rulings }: Ledger,
  { validatorIndex, ...event }: EventRecord,
): ExplainedEvent {
  const validator = validators[validatorIndex];
  if (validator === undefined)
    throw new Error(`the event ${event.id} is of no validator of this ledger`);
  const { vote: votePubkey, name: validatorName } = validator;
  return { ...event, votePubkey, validatorName, ruling: rulings.events.get(event.id) ?? null };
}

/** No event or entry has the given id or name. */
export class UnknownSubjectError extends Error {
  override readonly name = "UnknownSubjectError";
}

/** Digits of an event's id (views/events/event-id.ts), and how many must be given. */
const ID_DIGITS = 24;
const PREFIX_DIGITS_MIN = 6;
const NAMED_MOST = 5;

/**
 * Finds an event, also a withdrawn one.
 * @throws {UnknownSubjectError} for no id, or the
 * start of several or of none; says where to find ids
 */
export function findEvent({ network, events, withdrawn }: Ledger, text: string): EventRecord {
  if (!new RegExp(`^[0-9a-f]{${PREFIX_DIGITS_MIN},${ID_DIGITS}}$`).test(text)) {
    throw new UnknownSubjectError(
      `${JSON.stringify(text.slice(0, 80))} is not an event's id: give its ${ID_DIGITS} hexadecimal digits, or at least the first ${PREFIX_DIGITS_MIN}. Or give a vote account`,
    );
  }
  const all = [...events, ...withdrawn];
  const found = all.filter(({ id }) => id.startsWith(text));
  const [first] = found;
  if (first === undefined) {
    throw new UnknownSubjectError(
      `none of the ${all.length} events of ${network} has the id ${text}: ids are in api/v1/${network}/events.json and in each validator's events.json; those of withdrawn events, in status.json`,
    );
  }
  if (found.length === 1) return first;
  const ids = found.slice(0, NAMED_MOST).map(({ id }) => id);
  throw new UnknownSubjectError(
    `${found.length} events begin with ${text}: ${ids.join(", ")}${found.length > ids.length ? ", …" : ""}`,
  );
}
