import { z } from "zod";
import { countSchema, envelopeOf, pubkeySchema, stakeSchema } from "./values.ts";
import { verdictLevelSchema } from "./verdict.ts";

/** Fewest code points of a search text, after trimming. */
export const SEARCH_MIN_CODE_POINTS = 2;
/** Longer search texts match nothing: no name or key is longer. In code points. */
export const SEARCHED_MAX_CODE_POINTS = 100;
/** Most results of an answer. */
export const SEARCH_MAX_RESULTS = 20;

/** An item of `/search`; also a validator of the index that left the list. */
export const searchResultSchema = z
  .object({
    votePubkey: pubkeySchema.meta({ description: "Vote account, Base58." }),
    name: z
      .string()
      .nullable()
      .meta({
        description: "Name that the validator gives itself: any text, never markup. null: none.",
      }),
    iconUrl: z.string().nullable().meta({ description: "URL of its icon, https; null: none." }),
    identityPubkey: pubkeySchema
      .nullable()
      .meta({ description: "Identity of its node, Base58; null: not known." }),
    rank: z
      .int()
      .min(1)
      .nullable()
      .meta({
        description:
          "Rank by active stake, from 1; its last rank if it left the list. null: never ranked.",
      }),
    activeStake: stakeSchema.meta({ description: "Active stake now; 0 if it left the list." }),
    delinquent: z.boolean().meta({ description: "true: it does not vote now, or left the list." }),
    verdict: verdictLevelSchema
      .nullable()
      .meta({ description: "Level of its verdict; null: it left the list." }),
  })
  .meta({
    id: "SearchResult",
    description: "A validator found by name, vote account or identity.",
  });

/** Answer of `/search`. The proxy makes it of the index; no object holds it. */
export const searchDocumentSchema = envelopeOf(
  z.array(searchResultSchema).max(SEARCH_MAX_RESULTS),
  {
    total: countSchema.meta({
      description: "Results in this answer, at most 20; not all matches.",
    }),
    query: z.string().meta({ description: "The text searched for: `q` in Unicode NFC, trimmed." }),
  },
);

/** A validator that a search found. */
export type SearchResult = z.infer<typeof searchResultSchema>;
