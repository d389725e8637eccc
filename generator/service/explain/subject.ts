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
