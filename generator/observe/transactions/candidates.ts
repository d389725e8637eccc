import type { Searched } from "./searches.ts";

/**
 * Witnesses may list transactions that do not exist. Those that several list come first, then in
 * turns those that only one lists, so that invented ones take no time or room from the other
 * witnesses.
 */
export function chooseCandidates(
  byWitness: readonly (readonly Searched[])[],
  { max, aloneMax = Infinity }: { max: number; aloneMax?: number },
): string[] {
  const witnessesOf = new Map<string, number>();
  const lists = byWitness.map(newestFirst);
  for (const signature of lists.flat())
    witnessesOf.set(signature, (witnessesOf.get(signature) ?? 0) + 1);
  const turns = new Map<string, number>();
  for (const list of lists) {
    const alone = list.filter((signature) => witnessesOf.get(signature) === 1).slice(0, aloneMax);
    const shared = list.filter((signature) => witnessesOf.get(signature) !== 1);
    for (const own of [alone, shared])
      for (const [turn, signature] of own.entries())
        turns.set(signature, Math.min(turns.get(signature) ?? Infinity, turn));
  }
  return [...turns]
    .map(([signature, turn]) => ({ signature, turn, witnesses: witnessesOf.get(signature) ?? 0 }))
    .sort(
      (a, b) =>
        b.witnesses - a.witnesses || a.turn - b.turn || (a.signature < b.signature ? -1 : 1),
    )
    .slice(0, max)
    .map(({ signature }) => signature);
}

function newestFirst(searched: readonly Searched[]): string[] {
  const positions = new Map<string, number>();
  for (const [position, signature] of searched.flatMap(({ signatures }) => [
    ...signatures.entries(),
  ]))
    positions.set(signature, Math.min(positions.get(signature) ?? Infinity, position));
  return [...positions]
    .sort(([one, a], [other, b]) => a - b || (one < other ? -1 : 1))
    .map(([signature]) => signature);
}
