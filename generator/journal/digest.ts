import { createHash } from "node:crypto";

const DIGEST_DIGITS = 32;

/** Stands for a set of entry names in their order: equal digests, equal names. */
export function digestOfNames(names: Iterable<string>): string {
  const hash = createHash("sha256").update(Array.from(names).join("\n"));
  return hash.digest("hex").slice(0, DIGEST_DIGITS);
}

/** The same for names that are added one after the other: what stands for all of them so far costs no second pass. */
export function createNameDigest() {
  const hash = createHash("sha256");
  let isEmpty = true;
  return {
    add(name: string): void {
      hash.update(isEmpty ? name : `\n${name}`);
      isEmpty = false;
    },
    /** Of all names added, as {@link digestOfNames} of them. */
    digest: () => hash.copy().digest("hex").slice(0, DIGEST_DIGITS),
  };
}
