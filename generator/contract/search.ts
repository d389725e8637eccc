import { z } from "zod";
import { envelopeOf } from "./envelope.ts";
import { countSchema, pubkeySchema, stakeSchema } from "./values.ts";

export const SEARCH_MIN_CODE_POINTS = 2;
/** Names and keys are shorter: a longer text is a part of none of them. */
export const SEARCHED_MAX_CODE_POINTS = 100;
export const SEARCH_MAX_RESULTS = 20;

/** One validator found by name or key (endpoint 13). */
export const searchResultSchema = z
  .object({
    votePubkey: pubkeySchema,
    name: z.string().nullable(),
    iconUrl: z.string().nullable(),
    identityPubkey: pubkeySchema.nullable(),
    rank: z.int().min(1).nullable(),
    activeStake: stakeSchema,
    delinquent: z.boolean(),
  })
  .meta({ id: "SearchResult" });

/** The document of endpoint 13; no object of the store, the proxy makes it. */
export const searchDocumentSchema = envelopeOf(z.array(searchResultSchema).max(SEARCH_MAX_RESULTS), {
  total: countSchema.meta({ description: "Results in this answer." }),
  query: z.string().meta({ description: "What was searched for: q in NFC and trimmed." }),
});

export type SearchResult = z.infer<typeof searchResultSchema>;
