import type { StakeState, WalletAccount } from "../../../generator/contract/wallets.ts";

export interface Holding {
  votePubkey: string;
  /** Lamports of all accounts. */
  lamports: bigint;
  /** Lamports by state, without empty states. */
  byState: Map<StakeState, bigint>;
  accounts: WalletAccount[];
}

/** By validator, largest first; those with inactive accounts only come last. */
export function toHoldings(accounts: readonly WalletAccount[]): Holding[] {
  const holdings = [...Map.groupBy(accounts, ({ votePubkey }) => votePubkey)].map(
    ([votePubkey, own]) => {
      const byState = new Map<StakeState, bigint>();
      for (const { state, lamports } of own)
        byState.set(state, (byState.get(state) ?? 0n) + BigInt(lamports));
      return { votePubkey, lamports: sum(byState.values()), byState, accounts: own };
    },
  );
  return holdings.sort(
    (one, other) =>
      Number(isIdle(one)) - Number(isIdle(other)) || compare(other.lamports, one.lamports),
  );
}

export function isIdle({ byState }: Holding): boolean {
  return [...byState.keys()].every((state) => state === "inactive");
}

function sum(amounts: Iterable<bigint>): bigint {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
}

function compare(one: bigint, other: bigint): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
