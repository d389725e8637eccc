/**
 * The most that the proxy remembers, whatever it is asked for: the sum of these bounds its memory, and
 * test/proxy/memory.test.ts asks for more than that. Bodies count in bytes, with what an entry costs beside its body.
 *
 *     documents                 64 MB   ten thousand profiles; found ones only
 *     missing documents          8 MB   push out only each other
 *     answers of a snapshot  3 × 16 MB  one a network; pages, filters and searches
 *     compressed variants       32 MB   by content
 *     responses                 16 MB   by target; mostly of answers that stand above as well
 *
 * Beside these stand the snapshots, which only the generator can make larger: 3 × 15 MB at planning size.
 */
export const MEMORY = {
  documentsMaxBytes: 64 * 1024 * 1024,
  /** Of one document: ten times the largest at planning size. */
  documentMaxBytes: 8 * 1024 * 1024,
  missingMaxEntries: 4_096,
  answersOfNetworkMaxBytes: 16 * 1024 * 1024,
  variantsMaxBytes: 32 * 1024 * 1024,
  responsesMaxBytes: 16 * 1024 * 1024,
  /** What an entry costs beside its body: key, ETag, closures, its place in the list. */
  entryBytes: 2_048,
} as const;

/** A cache and how full it is, in bytes as counted above. */
export interface CachePlace {
  name: "documents" | "missing_documents" | "answers" | "variants" | "responses";
  maxBytes: number;
  getBytes: () => number;
}

/** Told of each cache once, when it is made. */
export type OnPlace = (place: CachePlace) => void;
