import { toExactSol, toShortSol } from "../format/amounts.ts";

/** An amount of stake, short; to the lamport for who points at it. */
export function Sol({ lamports }: { lamports: string }) {
  return (
    <span class="amount" title={`${toExactSol(lamports)} SOL`}>
      {toShortSol(lamports)}
      <span class="unit"> SOL</span>
    </span>
  );
}
