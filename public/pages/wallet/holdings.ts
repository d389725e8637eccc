import type { StakeState, WalletAccount } from "../../../generator/contract/wallets.ts";

export interface Holding {
  votePubkey: string;
  /** null: it is not listed. */
  validator: WalletAccount["validator"];
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
      const validator = own[0]?.validator ?? null;
      return { votePubkey, validator, lamports: sum(byState.values()), byState, accounts: own };
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
