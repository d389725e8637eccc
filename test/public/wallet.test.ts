import { expect, it } from "vitest";
import type { WalletAccount } from "../../generator/contract/wallets.ts";
import { isIdle, toHoldings } from "../../public/pages/wallet/holdings.ts";

const account = (votePubkey: string, lamports: bigint, state: WalletAccount["state"] = "active"): WalletAccount => ({
  stakeAccount: `${votePubkey} ${lamports} ${state}`,
  withdrawAuthority: "wallet",
  votePubkey,
  lamports: String(lamports),
  sol: Number(lamports) / 1e9,
  state,
});

it("the stake of a wallet is summed by validator and state, exactly, largest first, what earns nothing last", () => {
  const holdings = toHoldings([
    account("small", 1n),
    account("idle", 2n ** 60n, "inactive"),
    account("large", 2n ** 53n),
    account("large", 1n),
    account("large", 5n, "deactivating"),
    account("next", 3n, "activating"),
  ]);
  expect(holdings.map(({ votePubkey, lamports }) => [votePubkey, lamports])).toEqual([
    ["large", 2n ** 53n + 6n],
    ["next", 3n],
    ["small", 1n],
    ["idle", 2n ** 60n],
  ]);
  expect([...(holdings[0]?.byState ?? [])]).toEqual([
    ["active", 2n ** 53n + 1n],
    ["deactivating", 5n],
  ]);
  expect(holdings.map(isIdle)).toEqual([false, false, false, true]);
});

it("a validator from which all is withdrawn but some earns still is not idle", () => {
  const [holding] = toHoldings([account("one", 9n, "inactive"), account("one", 1n)]);
  expect(holding && isIdle(holding)).toBe(false);
});
