/**
 * A document as it is published: bytes as they are, text in UTF-8, all else as JSON, its fields in the order in which they
 * were written down.
 */
export function toBytes(document: object | string): Uint8Array {
  if (document instanceof Uint8Array) return document;
  return new TextEncoder().encode(typeof document === "string" ? document : JSON.stringify(document));
}
