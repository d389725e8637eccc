import type { z } from "zod";
import type { CommissionEvent } from "./event.ts";
import { searchResultSchema } from "./search.ts";
import type { SnapshotIndex } from "./snapshot-index.ts";

/** Saves clients a profile request for each row. */
export const eventValidatorSchema = searchResultSchema
  .pick({ votePubkey: true, iconUrl: true, rank: true, activeStake: true })
  .meta({ id: "EventValidator", description: "A validator of the listed events, as of now." });

export type EventValidator = z.infer<typeof eventValidatorSchema>;

type Known = Pick<SnapshotIndex, "validators" | "unlisted">;

export function findEventValidators(
  { validators, unlisted }: Known,
  events: readonly Pick<CommissionEvent, "votePubkey">[],
): EventValidator[] {
  const wanted = new Set(events.map(({ votePubkey }) => votePubkey));
  return [...validators, ...unlisted]
    .filter(({ votePubkey }) => wanted.has(votePubkey))
    .map(({ votePubkey, iconUrl, rank, activeStake }) => ({
      votePubkey,
      iconUrl,
      rank,
      activeStake,
    }));
}
