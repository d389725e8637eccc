import { createHash } from "node:crypto";
import type { PublishedDocument } from "./manifest.ts";

/**
 * Whether a document has to be put, or taken from the manifest, because it is not what was put last.
 *
 * @param body the document now; null: there is none.
 */
export function isChanged(published: PublishedDocument | undefined, body: Uint8Array | null): boolean {
  if (published === undefined || body === null) return published !== undefined || body !== null;
  return published.bytes !== body.byteLength || published.sha256 !== toSha256(body);
}

/** Hexadecimal. */
export function toSha256(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
