import type { Searched } from "./searches.ts";

/**
 * Which of the listed transactions to ask for, the first ones first. A witness may list what does not exist: what more of
 * them list comes first, then what is newest in any list, so that nobody's inventions push out what another has found.
 * @param byWitness what each witness says of each search
 */
export function chooseCandidates(byWitness: readonly (readonly Searched[])[], max: number): string[] {
  const candidates = new Map<string, Candidate>();
  for (const [witness, searched] of byWitness.entries()) {
    for (const [place, signature] of searched.flatMap(({ signatures }) => [...signatures.entries()])) {
      const candidate = candidates.get(signature) ?? { signature, witnesses: new Set(), place };
      candidate.witnesses.add(witness);
      candidate.place = Math.min(candidate.place, place);
      candidates.set(signature, candidate);
    }
  }
  return [...candidates.values()]
    .sort(byWeight)
    .slice(0, max)
    .map(({ signature }) => signature);
}

interface Candidate {
  signature: string;
  witnesses: Set<number>;
  /** In the list in which it stands nearest to the top. */
  place: number;
}

function byWeight(one: Candidate, other: Candidate): number {
  const order = one.signature < other.signature ? -1 : 1;
  return other.witnesses.size - one.witnesses.size || one.place - other.place || order;
}
