import type { z } from "zod";
import type { CommissionEvent } from "./event.ts";
import { searchResultSchema } from "./search.ts";
import { validatorSchema } from "./validator.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";

/**
 * A validator of a list of events (`meta.validators`), so that clients need not ask for its
 * profile.
 */
export const eventValidatorSchema = searchResultSchema
  .pick({ votePubkey: true, iconUrl: true, rank: true, activeStake: true })
  .extend(validatorSchema.pick({ appliedCommission: true, nextAppliedCommission: true }).shape)
  .meta({ id: "EventValidator", description: "A validator of the listed events, as of now." });

/** A validator of a list of events. */
export type EventValidator = z.infer<typeof eventValidatorSchema>;

type Known = Pick<SnapshotIndex, "validators" | "unlisted">;

/**
 * Returns the validators of these events, each once, in the order of the index: by rank, then those
 * that left the list.
 */
export function findEventValidators(
  { validators, unlisted }: Known,
  events: readonly Pick<CommissionEvent, "votePubkey">[],
): EventValidator[] {
  const wanted = new Set(events.map(({ votePubkey }) => votePubkey));
  const gone = unlisted.map((each) => ({
    ...each,
    appliedCommission: null,
    nextAppliedCommission: null,
  }));
  return [...validators, ...gone]
    .filter(({ votePubkey }) => wanted.has(votePubkey))
    .map(({ votePubkey, iconUrl, rank, activeStake, ...rates }) => ({
      votePubkey,
      iconUrl,
      rank,
      activeStake,
      appliedCommission: rates.appliedCommission,
      nextAppliedCommission: rates.nextAppliedCommission,
    }));
}
