import type { Moment, Testimony, Word } from "./records.ts";
import type { Panel } from "./witnesses.ts";

/** Of two witnesses one decides alone when the other has said nothing for so long. */
export const SILENCE_MILLISECONDS = 3 * 60_000;

/** What more than half of a panel say. */
export interface MajorityWord<Value> {
  value: Value;
  /** At least one of them. */
  words: [Word<Value>, ...Word<Value>[]];
}

type IsSame<Value> = (one: Value, other: Value) => boolean;

/** Takes in what a witness says. An account outweighs a list, and a word that is not newer than its last counts for nothing. */
export function testify<Value>(
  testimony: Testimony<Value>,
  witness: number,
  said: { value: Value; moment: Moment; of: Word<Value>["of"]; isSame: IsSame<Value> },
): void {
  const { value, moment, of, isSame } = said;
  const held = testimony.get(witness);
  const isKnown = held?.value !== undefined && held.value !== null;
  if (isKnown && (moment.slot <= held.newest.slot || (held.of === "account" && of === "list"))) return;
  const isRepeated = isKnown && held.value !== null && isSame(held.value, value);
  testimony.set(witness, { value, first: isRepeated ? held.first : moment, newest: moment, of });
}

/** Remembers that a witness could not be asked, unless it has said something already. */
export function noteSilence(testimony: Testimony<unknown>, witness: number, moment: Moment): void {
  if (!testimony.has(witness)) testimony.set(witness, { value: null, first: moment, newest: moment, of: "account" });
}

/** Remembers that a witness answered: whatever it said, it is not silent. */
export function endSilence(testimony: Testimony<unknown>, witness: number): void {
  if (isSilence(testimony.get(witness))) testimony.delete(witness);
}

/** Remembers that a witness has no such account: it is not silent, and contradicts whoever shows one. */
export function noteAbsence(testimony: Testimony<unknown>, witness: number, moment: Moment): void {
  const held = testimony.get(witness);
  if (held === undefined || held.value === null)
    testimony.set(witness, { value: null, first: moment, newest: moment, of: "absence" });
}

/**
 * The value that a majority of the panel holds; null: there is none. Of two witnesses one is a majority while the other is
 * silent.
 * @param isOneSilent whether one of the panel has been silent for so long that the others decide
 */
export function findMajority<Value>(
  testimony: Testimony<Value>,
  panel: Panel,
  { isSame, isOneSilent }: { isSame: IsSame<Value>; isOneSilent: boolean },
): MajorityWord<Value> | null {
  const words = wordsOf(testimony, panel);
  const enough = panel.witnesses.length === 2 && words.length === 1 && isOneSilent ? 1 : panel.majority;
  for (const { value } of words) {
    const [first, ...others] = words.filter((word) => isSame(word.value, value));
    if (first !== undefined && 1 + others.length >= enough) return { value, words: [first, ...others] };
  }
  return null;
}

/**
 * The moment by which a value stood for certain: of the first words of the majority the earliest that no minority of liars
 * can have made up.
 */
export function firstCertain<Value>({ words }: MajorityWord<Value>, { liarsMost }: Panel): Moment {
  const firsts = words.map(({ first }) => first).sort((a, b) => a.slot - b.slot);
  return firsts[Math.min(liarsMost, firsts.length - 1)] ?? words[0].first;
}

/** The newest of these moments by which a majority had spoken; null: too few of them. */
export function newestByMajority(moments: readonly Moment[], { majority }: Panel): Moment | null {
  return [...moments].sort((a, b) => b.slot - a.slot)[majority - 1] ?? null;
}

/** Whether a witness could not be asked for three minutes. @param now ISO 8601 in UTC */
export function hasSilence(testimony: Testimony<unknown>, { witnesses }: Panel, now: string): boolean {
  return witnesses.some((witness) => {
    const word = testimony.get(witness);
    return isSilence(word) && Date.parse(now) - Date.parse(word.first.time) >= SILENCE_MILLISECONDS;
  });
}

/** Who has no such account is not silent. */
function isSilence(word: Word<unknown> | undefined): word is Word<unknown> {
  return word?.value === null && word.of !== "absence";
}

type Told<Value> = Word<Value> & { value: Value };

function wordsOf<Value>(testimony: Testimony<Value>, { witnesses }: Panel): Told<Value>[] {
  return witnesses.flatMap((witness) => {
    const word = testimony.get(witness);
    return word === undefined || word.value === null ? [] : [word as Told<Value>];
  });
}
