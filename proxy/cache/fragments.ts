/** Values as JSON in UTF-8, each behind a comma, in one piece of memory: what follows each other is one copy. */
export interface Fragments {
  readonly count: number;
  /** The values from a place on up to another, which is not one of them, as they stand in an array. */
  range(from: number, to: number): Uint8Array;
  /** The values at some places, in that order, as they stand in an array. @throws {RangeError} if there is none at one of them */
  pick(places: readonly number[]): Uint8Array;
}

const COMMA_BYTES = 1;
const NOTHING = new Uint8Array();

/** Serialises values once, for all the answers that they will be part of. */
export function toFragments(values: readonly unknown[]): Fragments {
  const texts = values.map((value) => `,${JSON.stringify(value)}`);
  const bytes = Buffer.from(texts.join(""));
  // Where each value begins, its comma included, and behind the last one where it ends.
  const starts = new Uint32Array(values.length + 1);
  for (const [place, text] of texts.entries()) starts[place + 1] = (starts[place] ?? 0) + Buffer.byteLength(text);

  const startOf = (place: number) => starts[Math.min(place, values.length)] ?? 0;

  function range(from: number, to: number): Uint8Array {
    const [first, last] = [startOf(from), startOf(to)];
    return first < last ? bytes.subarray(first + COMMA_BYTES, last) : NOTHING;
  }

  function pick(places: readonly number[]): Uint8Array {
    if (places.length === 0) return NOTHING;
    let length = -COMMA_BYTES;
    for (const place of places) length += startOf(place + 1) - startOf(place);
    const picked = Buffer.allocUnsafe(length);
    let end = 0;
    // The first without its comma. Copied by place: a view of each would take longer to make than its bytes to copy.
    for (const place of places)
      end += bytes.copy(picked, end, startOf(place) + (end === 0 ? COMMA_BYTES : 0), startOf(place + 1));
    return picked;
  }

  return { count: values.length, range, pick };
}
