const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** The largest of the bytes that are blank. */
const SPACE = 0x20;

/** Index of the quote that ends the string that `start` is in; at least the length of the bytes when there is none. */
export function findClosingQuote(bytes: Uint8Array, start: number): number {
  let position = start;
  for (;;) {
    const byte = bytes[position];
    if (byte === QUOTE || byte === undefined) return position;
    position += byte === BACKSLASH ? 2 : 1;
  }
}

/** The text of a string between its quotes; null when it holds an escape that JSON does not know. */
export function parseString(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return JSON.parse(`"${Buffer.from(bytes.subarray(start, end)).toString("utf8")}"`) as string;
  } catch {
    return null;
  }
}

/** Whether a range of bytes is another's, byte by byte. */
export function equalBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let index = 0; index < other.length; index++) if (bytes[start + index] !== other[index]) return false;
  return true;
}

/** Whether a range of bytes is nothing but blanks. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++) if ((bytes[position] ?? 0) > SPACE) return false;
  return true;
}
