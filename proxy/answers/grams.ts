/**
 * Which rows of a table could contain a text. Rows are listed by the twos and threes of characters that follow each other in
 * them, and a row with a text has all of the text's: only those with its rarest must be looked at. Of 3,000 names and keys
 * those are a few where a key is searched for, and all of them if all begin alike.
 */
export interface Grams {
  /** Ascending places of rows. The text has two UTF-16 code units or more. */
  candidates(text: string): Uint32Array;
}

/** Grams share lists: of keys there are 1,200 twos, and most of their threes are in one key or two. A power of two. */
const LISTS = 65_536;
const [SHORT, LONG] = [2, 3];

export function toGrams(rows: readonly string[]): Grams {
  const ends = new Uint32Array(LISTS);
  forEachList(rows, (list) => (ends[list] = at(ends, list) + 1));
  for (let list = 1; list < LISTS; list += 1) ends[list] = at(ends, list) + at(ends, list - 1);
  const places = new Uint32Array(at(ends, LISTS - 1));
  // Each list is filled from where the one before it ends.
  const next = new Uint32Array(LISTS);
  next.set(ends.subarray(0, -1), 1);
  forEachList(rows, (list, row) => {
    const place = at(next, list);
    places[place] = row;
    next[list] = place + 1;
  });

  const startOf = (list: number) => (list === 0 ? 0 : at(ends, list - 1));
  const lengthOf = (list: number) => at(ends, list) - startOf(list);

  return {
    candidates(text) {
      const size = Math.min(text.length, LONG);
      let rarest = toList(text, 0, size);
      for (let from = 1; from + size <= text.length; from += 1) {
        const list = toList(text, from, size);
        if (lengthOf(list) < lengthOf(rarest)) rarest = list;
      }
      return places.subarray(startOf(rarest), at(ends, rarest));
    },
  };
}

/** Every list a row belongs to, once, in the order of the rows. */
function forEachList(rows: readonly string[], visit: (list: number, row: number) => void): void {
  const lastVisited = new Int32Array(LISTS).fill(-1);
  for (const [row, text] of rows.entries())
    for (let size = SHORT; size <= LONG; size += 1)
      for (let from = 0; from + size <= text.length; from += 1) {
        const list = toList(text, from, size);
        if (lastVisited[list] === row) continue;
        lastVisited[list] = row;
        visit(list, row);
      }
}

/** The list of the gram that begins at a place. */
function toList(text: string, from: number, size: number): number {
  let hash = size;
  for (let place = from; place < from + size; place += 1) hash = (hash * 131 + text.charCodeAt(place)) % LISTS;
  return hash;
}

function at(numbers: Uint32Array, index: number): number {
  return numbers[index] ?? 0;
}
