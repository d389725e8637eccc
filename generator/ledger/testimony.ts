import type { Moment, Testimony, Word } from "./records.ts";
import type { Panel } from "./witnesses.ts";

/** After this, one of two witnesses decides alone. */
export const SILENCE_MILLISECONDS = 3 * 60_000;

export interface MajorityWord<Value> {
  value: Value;
  words: [Word<Value>, ...Word<Value>[]];
}

type IsSame<Value> = (one: Value, other: Value) => boolean;

/** A word that is not newer is ignored. */
export function testify<Value>(
  testimony: Testimony<Value>,
  witness: number,
  said: { value: Value; moment: Moment; of: Word<Value>["of"]; isSame: IsSame<Value> },
): void {
  const { value, moment, of, isSame } = said;
  const held = testimony.get(witness);
  const isKnown = held?.value !== undefined && held.value !== null;
  if (isKnown && moment.slot <= held.newest.slot) return;
  const isRepeated = isKnown && held.value !== null && isSame(held.value, value);
  testimony.set(witness, { value, first: isRepeated ? held.first : moment, newest: moment, of });
}

export function noteSilence(testimony: Testimony<unknown>, witness: number, moment: Moment): void {
  if (!testimony.has(witness)) testimony.set(witness, { value: null, first: moment, newest: moment, of: "account" });
}

export function endSilence(testimony: Testimony<unknown>, witness: number): void {
  if (isSilence(testimony.get(witness))) testimony.delete(witness);
}

/**
 * Of two witnesses one suffices while the other is silent.
 * @param isOneSilent for long enough
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

/** The earliest first word that liars cannot have invented. */
export function firstCertain<Value>({ words }: MajorityWord<Value>, { liarsMost }: Panel): Moment {
  const firsts = words.map(({ first }) => first).sort((a, b) => a.slot - b.slot);
  return firsts[Math.min(liarsMost, firsts.length - 1)] ?? words[0].first;
}

export function newestByMajority(moments: readonly Moment[], { majority }: Panel): Moment | null {
  return [...moments].sort((a, b) => b.slot - a.slot)[majority - 1] ?? null;
}

export function hasSilence(testimony: Testimony<unknown>, { witnesses }: Panel, now: string): boolean {
  return witnesses.some((witness) => {
    const word = testimony.get(witness);
    return isSilence(word) && Date.parse(now) - Date.parse(word.first.time) >= SILENCE_MILLISECONDS;
  });
}

function isSilence(word: Word<unknown> | undefined): word is Word<unknown> {
  return word?.value === null;
}

type Told<Value> = Word<Value> & { value: Value };

function wordsOf<Value>(testimony: Testimony<Value>, { witnesses }: Panel): Told<Value>[] {
  return witnesses.flatMap((witness) => {
    const word = testimony.get(witness);
    return word === undefined || word.value === null ? [] : [word as Told<Value>];
  });
}
