/** A document as it is published: JSON in UTF-8, its fields in the order in which they were written down. */
export function toBytes(document: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(document));
}
