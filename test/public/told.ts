import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Validator } from "../../generator/contract/validator.ts";

export function toValidator(told: Partial<Validator> & Pick<Validator, "rank">): Validator {
  return {
    votePubkey: `vote ${told.rank}`,
    name: null,
    client: null,
    version: null,
    ...UNTOLD,
    ...told,
  } as Validator;
}

const UNKNOWN = { commission: null, appliedCommission: null, pattern: null, location: null };
const UNTOLD = { ...UNKNOWN, delinquent: false, delinquentSince: null };

const UNSEEN = {
  pattern: null,
  incident: null,
  transaction: null,
  previousSeenAt: null,
  createdAt: null,
};

/** Of validator A by default, newest first. */
export function toEvents(...told: Partial<CommissionEvent>[]): CommissionEvent[] {
  return told.map((event, index) => {
    const rest = {
      votePubkey: "A",
      severity: "INFO",
      source: "COMMISSION",
      delta: null,
      replacedBy: null,
      ...UNSEEN,
    };
    return { id: String(index), epoch: 100 - index, ...rest, ...event } as CommissionEvent;
  });
}
