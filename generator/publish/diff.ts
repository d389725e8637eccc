import { createHash } from "node:crypto";
import type { PublishedDocument } from "./manifest.ts";

/** A document as it is now, with its hash in hexadecimal. */
export interface Rendered {
  body: Uint8Array;
  sha256: string;
}

/**
 * Whether a document has to be put, or taken from the manifest, because it is not what was put last.
 *
 * @param rendered the document now; null: there is none.
 */
export function isChanged(published: PublishedDocument | undefined, rendered: Rendered | null): boolean {
  return published?.sha256 !== rendered?.sha256;
}

/** Puts a document's hash beside it: it is needed to tell whether it changed, and again when it is put. */
export function toRendered(body: Uint8Array): Rendered {
  return { body, sha256: toSha256(body) };
}

/** Hexadecimal. */
export function toSha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
