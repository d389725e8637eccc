const DATA = Buffer.from('{"data":[');

/** The success envelope around items that are JSON in UTF-8 already, with commas between them. */
export function toListBody(items: Uint8Array, meta: object): Uint8Array {
  return Buffer.concat([DATA, items, Buffer.from(`],"meta":${JSON.stringify(meta)}}`)]);
}

/** The success envelope around a value. */
export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}
