import {
  fromEntryKey,
  numberOf,
  toEntryKey,
  toName,
  toNames,
  toSeriesPrefix,
  type JournalPlace,
} from "./names.ts";
import { listPacks } from "./packs.ts";
import { fromRulingKey } from "./rulings.ts";

/**
 * A gap larger than any accident of this program explains: packs are lost, or an object is
 * foreign.
 */
const GAP_MOST = 10_000;

/** Names that one listing found. */
export interface Listing {
  /** Names of entries up to the newest, whether or not there is an object for each. */
  names: string[];
  /** Names of all rulings. */
  rulings: string[];
  /** Keys of neither entries nor rulings. */
  foreign: string[];
}

/**
 * Lists what follows an entry, with one listing. Packs are listed only if the loose entries do not
 * begin right after it.
 * @param name null: before the first
 * @throws {Error} when so many entries are missing that numbers cannot be trusted
 */
export async function listAfter(place: JournalPlace, name: string | null): Promise<Listing> {
  const loose: number[] = [];
  const rulings: string[] = [];
  const foreign: string[] = [];
  const options = name === null ? {} : { startAfter: toEntryKey(place, name) };
  for await (const { key } of place.store.list(toSeriesPrefix(place, "journal"), options)) {
    const [entry, ruling] = [fromEntryKey(place, key), fromRulingKey(place, key)];
    if (entry !== null) loose.push(numberOf(entry));
    else if (ruling === null) foreign.push(key);
    else rulings.push(ruling);
  }
  const first = numberOf(name) + 1;
  const isOnward = name !== null && (loose[0] ?? first) === first;
  let newest = isOnward
    ? first - 1
    : Math.max(first - 1, (await listPacks(place)).at(-1)?.last ?? 0);
  for (const number of loose) {
    if (number > newest + GAP_MOST) throw new Error(describeGap(place, newest, number));
    newest = Math.max(newest, number);
  }
  return { names: toNames(first, newest), rulings, foreign };
}

function describeGap(place: JournalPlace, newest: number, next: number): string {
  const { store, network, series } = place;
  const found = `${store.name} lacks the entries ${newest + 1} to ${next - 1} of the journal of ${network}`;
  return `${found}: put ${toSeriesPrefix({ network, series }, "packs")} back from a copy, or remove ${toEntryKey(place, toName(next))}`;
}
