/**
 * The most that the proxy remembers, whatever it is asked for. Bodies are counted in bytes, with what an entry costs beside
 * its body; so the sum of all places below bounds the memory, and test/proxy/memory.test.ts asks for more than that.
 *
 *     documents                 64 MB   ten thousand profiles; found ones only
 *     missing documents          8 MB   push out only each other
 *     answers of a snapshot  3 × 16 MB  one a network; pages, filters and searches
 *     compressed variants    2 × 16 MB  one a coding, see answers/compress.ts
 *     fast lane                 16 MB  by target; mostly of answers that stand above as well
 *
 * 168 MB in all. One more place of answers for each snapshot that is being replaced while its last answers go out.
 *
 * Beside these stands the snapshot itself, which only the generator can make larger: at planning size, 3 × 15 MB.
 */
export const MEMORY = {
  documentsMaxBytes: 64 * 1024 * 1024,
  /** Of one document: ten times the largest at planning size. */
  documentMaxBytes: 8 * 1024 * 1024,
  /** Documents known to be missing, or not read yet: some 2 KB each. */
  missingMaxEntries: 4_096,
  answersOfNetworkMaxBytes: 16 * 1024 * 1024,
  /** Compressed variants of one coding. */
  variantsMaxBytes: 16 * 1024 * 1024,
  fastLaneMaxBytes: 16 * 1024 * 1024,
  /** What an entry costs beside the body: key, ETag, closures, its place in the list. */
  entryBytes: 2_048,
} as const;

/** One of the places above, or a part of it, as it is at the moment. */
export interface HeldPlace {
  name: "documents" | "missing_documents" | "answers" | "variants" | "fast_lane";
  /** The most it may take, and what it takes now: bytes as counted above. */
  maxBytes: number;
  getBytes: () => number;
}

/** Told of each place once, when it is made. */
export type OnPlace = (place: HeldPlace) => void;
