/** The success envelope around items that are JSON text already. */
export function toListJson(items: readonly string[], meta: object): string {
  return `{"data":[${items.join(",")}],"meta":${JSON.stringify(meta)}}`;
}

/** The success envelope around a value. */
export function toJson(data: unknown, meta: object): string {
  return JSON.stringify({ data, meta });
}
