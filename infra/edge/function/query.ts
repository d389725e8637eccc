/** One `name=value` of a query. */
export interface Pair {
  name: string;
  /** The value as it was sent. */
  raw: string;
  /** The value decoded. What is no UTF-8 is a replacement character a byte. */
  text: string;
}

/** The pairs that have one of these names, in their order. The others are not looked at: unknown parameters mean nothing. */
export function readPairs(query: string | undefined, names: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  if (query === undefined) return pairs;
  query.split("&").forEach((piece) => {
    const equals = piece.indexOf("=");
    const name = decode(equals === -1 ? piece : piece.slice(0, equals));
    if (!names.includes(name)) return;
    const raw = equals === -1 ? "" : piece.slice(equals + 1);
    pairs.push({ name: name, raw: raw, text: decode(raw) });
  });
  return pairs;
}

/** A query of these pairs, in the order of their names and in one spelling: one question has one cache key. */
export function toQuery(pairs: readonly Pair[]): string {
  return pairs
    .map((pair) => pair.name + "=" + toOneSpelling(pair.raw))
    .sort()
    .join("&");
}

function toOneSpelling(raw: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(raw.replace(/\+/g, "%20")));
  } catch {
    // No UTF-8: the proxy makes of it what it can.
    return raw;
  }
}

function decode(text: string): string {
  if (!/[+%]/.test(text)) return text;
  const spaced = text.replace(/\+/g, " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced.replace(/%([0-9a-f]{2})/gi, toCharacter);
  }
}

function toCharacter(escaped: string): string {
  const byte = parseInt(escaped.slice(1), 16);
  return byte < 0x80 ? String.fromCharCode(byte) : "\ufffd";
}
