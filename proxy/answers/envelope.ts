const encoder = new TextEncoder();

/** A document as it is sent: JSON in UTF-8. */
export function toBody(document: object): Uint8Array {
  return encoder.encode(JSON.stringify(document));
}

/** The success envelope around a value. */
export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}
