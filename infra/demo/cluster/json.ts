/** A number that JSON.stringify writes as the text it was made from. */
type RawJson = object;

/** `JSON.rawJSON` of Node 24, which the type library does not know yet. */
const rawJson = (JSON as unknown as { rawJSON: (text: string) => RawJson }).rawJSON;

/** Largest u64: stands for «never» in epochs, and for the separator in vote credits. */
export const U64_MAX = 2n ** 64n - 1n;

/** JSON text in which every bigint is written exactly, as a number: the nodes write u64 so, also above 2^53. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? rawJson(String(member)) : member));
}
