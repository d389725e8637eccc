import { createHash } from "node:crypto";

const DIGEST_DIGITS = 32;

/** Stands for a set of entry names in their order: equal digests, equal names. */
export function digestOfNames(names: Iterable<string>): string {
  const hash = createHash("sha256").update(Array.from(names).join("\n"));
  return hash.digest("hex").slice(0, DIGEST_DIGITS);
}
