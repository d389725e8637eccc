import { createHash } from "node:crypto";
import type { EventRecord } from "../../ledger/event-record.ts";
import type { Ledger } from "../../ledger/ledger.ts";

type Named = Pick<EventRecord, "validatorIndex" | "source" | "seenEpoch" | "from" | "to">;

/** Finds the event derived from the same facts before. Each event is found once. */
type Claim = (isOfSameFacts: (event: EventRecord) => boolean) => EventRecord | undefined;

/**
 * Ids of a validator's events. A known event keeps its id; a new one gets the next number among
 * those with equal facts in its epoch.
 */
export interface Ids {
  claim: Claim;
  create: (named: Named) => string;
}

/**
 * Makes the ids of a validator's events.
 * @param before all events of the validator, withdrawn ones too: the next equal event must not
 * inherit their ruling
 */
export function createIds(ledger: Ledger, before: readonly EventRecord[]): Ids {
  const taken = new Set(before.map(({ id }) => id));
  const unclaimed = new Set(before);
  return {
    claim(isOfSameFacts) {
      for (const event of unclaimed) {
        if (!isOfSameFacts(event)) continue;
        unclaimed.delete(event);
        return event;
      }
      return undefined;
    },
    create(named) {
      for (let equals = 0; ; equals += 1) {
        const id = toEventId(ledger, named, equals);
        if (taken.has(id)) continue;
        taken.add(id);
        return id;
      }
    },
  };
}

/**
 * Text of an id. It leaves out window and corrected epoch, as both may change. It has the series,
 * because a restarted cluster reuses epoch numbers.
 */
export function toEventId(
  { network, series, validators }: Ledger,
  { validatorIndex, source, seenEpoch, from, to }: Named,
  which: number | "history",
): string {
  const vote = validators[validatorIndex]?.vote ?? "";
  const life = series > 1 ? [network, series] : [network];
  const parts = [...life, source, vote, seenEpoch, from, to, which];
  return createHash("sha256").update(parts.join(" ")).digest("hex").slice(0, 24);
}
