/** A part in the story, and which of how many players of that part someone is. */
export interface Part<Role extends string> {
  role: Role;
  /** From 0. */
  place: number;
  /** Players of the same role. */
  of: number;
}

/** How many of a part there are: a share of all validators, but at least so many. */
export interface PartSize<Role extends string> {
  role: Role;
  share: number;
  least: number;
}

/**
 * Hands out parts to the candidates in their order, until the parts or the candidates are used up; whoever is left plays
 * `rest`. The parts named first are the ones a small cluster still has.
 * @param everyone number of validators the shares refer to
 */
export function castParts<Role extends string>(
  everyone: number,
  candidates: readonly number[],
  sizes: readonly PartSize<Role>[],
  rest: Role,
): (index: number) => Part<Role> {
  const parts = new Map<number, Part<Role>>();
  let next = 0;
  for (const { role, share, least } of sizes) {
    const players = candidates.slice(next, next + Math.max(least, Math.round(everyone * share)));
    players.forEach((index, place) => parts.set(index, { role, place, of: players.length }));
    next += players.length;
  }
  return (index) => parts.get(index) ?? { role: rest, place: index, of: everyone };
}
