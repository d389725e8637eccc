import type { Moment } from "./calendar.ts";
import type { Member } from "./cast.ts";

/** Epochs from one disappearance of a vanisher to the next. */
const VANISHING_PERIOD = 4;
const VANISHING_BEGINS = 0.35;
/** Epochs a vanisher is gone, in turn by its place: back in the next epoch, or in the one after. */
const VANISHING_LASTS = [1.15, 2.1];

/** Position in the story at which the first new validator appears; the others follow an epoch apart. */
const FIRST_BIRTH = 1.2;

/** Whether the vote account is on chain at all: if not, it is in no list either. */
export function exists(member: Member, { position }: Moment): boolean {
  const { role, place } = member.life;
  if (role === "newborn") return position >= FIRST_BIRTH + place;
  if (role !== "vanisher") return true;
  const phase = (position + 0.3 * (place % 5)) % VANISHING_PERIOD;
  return phase < VANISHING_BEGINS || phase >= VANISHING_BEGINS + (VANISHING_LASTS[place % VANISHING_LASTS.length] ?? 1);
}

/** The epoch of the story (counted from 0) in which the vote account was created; null: before the story. */
export function bornInOrdinal(member: Member): number | null {
  return member.life.role === "newborn" ? Math.floor(FIRST_BIRTH + member.life.place) : null;
}
