import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toStake } from "../../../generator/contract/numbers.ts";
import {
  countWalletShards,
  findWallet,
  STAKE_STATES,
  toWalletShard,
  type WalletPage,
  walletShardSchema,
  type WalletShard,
} from "../../../generator/contract/wallets.ts";
import { toShardedIndex } from "../../../generator/service/wallets/shards.ts";
import { DOCUMENT_MAX_BYTES } from "../../../proxy/cache/documents.ts";
import { CROWD, keyOf, recordsOf, type StakeAccount } from "./stake-accounts.ts";
import { SOAK } from "../../soak/soak.ts";

const HEAD = {
  network: "mainnet",
  epoch: 1060,
  slot: 457_000_000,
  asOf: "2026-11-20T00:00:00.000Z",
} as const;
const toIndex = (accounts: Iterable<StakeAccount>) => toShardedIndex(recordsOf(accounts), HEAD);
const many = (count: number, fields: (account: number) => Omit<StakeAccount, "account">) =>
  Array.from({ length: count }, (_, account) => ({ account, ...fields(account) }));

function ask(accounts: Iterable<StakeAccount>, pubkey: string, page: WalletPage = {}) {
  const index = toIndex(accounts);
  const shard = [...index.shards()].find(
    ({ meta }) => meta.shard === toWalletShard(pubkey, index.count),
  );
  return shard === undefined ? null : findWallet(shard, pubkey, page);
}

describe("the shards of an index", () => {
  it.each([
    [0, 1],
    [1_000, 1],
    [1_001, 64],
    [64_000, 64],
    [64_001, 2_048],
    [1_200_000, 2_048],
  ])("are by the number of accounts: %d in %d", (accounts, shards) => {
    expect(countWalletShards(accounts)).toBe(shards);
  });

  it("hold every account under its wallet and under its own key, whatever the order of reading", () => {
    const account = fc.record({
      account: fc.nat({ max: 5_000 }),
      wallet: fc.nat({ max: 400 }),
      vote: fc.nat({ max: 20 }),
      lamports: fc.bigInt(0n, 2n ** 64n - 1n),
      state: fc.constantFrom(...STAKE_STATES),
    });
    const some = fc.uniqueArray(account, {
      selector: (one) => one.account,
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(some, fc.boolean(), (accounts, isLarge) => {
        // These make 64 shards.
        const others = isLarge
          ? many(1_000, () => ({ wallet: 9_999 })).map((one) => ({
              ...one,
              account: 10_000 + one.account,
            }))
          : [];
        const index = toIndex([...accounts, ...others]);
        const shards = [...index.shards()];
        expect(shards.map(({ meta }) => meta.shard)).toEqual(
          shards.map((_, place) => `${index.count}-${place}`),
        );
        for (const shard of shards)
          expect(walletShardSchema.safeParse(shard)).toMatchObject({ success: true });
        const byName = new Map(shards.map((shard) => [shard.meta.shard, shard]));
        const find = (pubkey: string) =>
          findWallet(byName.get(toWalletShard(pubkey, index.count)) as WalletShard, pubkey);
        for (const { account, wallet, vote, lamports, state } of accounts) {
          const row = {
            stakeAccount: keyOf("account", account),
            withdrawAuthority: keyOf("wallet", wallet),
            votePubkey: keyOf("vote", vote),
            ...toStake(lamports),
            stake: toStake(lamports),
            state,
            validator: null,
          };
          expect(find(row.stakeAccount)).toMatchObject({
            data: [row],
            meta: { role: "stakeAccount", total: 1 },
          });
          expect(find(row.withdrawAuthority)?.data).toContainEqual(row);
        }
        expect([...toIndex([...others, ...accounts].reverse()).shards()]).toEqual(shards);
      }),
      { numRuns: 10 * SOAK },
    );
  });
});

describe("a wallet", () => {
  it("has its accounts largest first, with their sum and the epoch", () => {
    const accounts = [3n, 2n ** 63n, 2n ** 63n].map((lamports, account) => ({
      account,
      wallet: 7,
      lamports,
    }));
    const answer = ask(accounts, keyOf("wallet", 7));
    expect(answer?.data.map(({ lamports }) => lamports)).toEqual([
      String(2n ** 63n),
      String(2n ** 63n),
      "3",
    ]);
    const stake = { lamports: String(2n ** 64n + 3n) };
    expect(answer?.meta).toMatchObject({
      ...HEAD,
      pubkey: keyOf("wallet", 7),
      role: "withdrawAuthority",
      total: 3,
      stake,
    });
  });

  it("with many accounts lists a thousand on a page, largest first; each is found by its key, too", () => {
    const accounts = many(2_500, (account) => ({ wallet: 7, lamports: BigInt(account) }));
    const stake = { lamports: String((2_500n * 2_499n) / 2n) };
    for (const [page, first, count] of [
      [1, 2_499, 1_000],
      [2, 1_499, 1_000],
      [3, 499, 500],
      [4, 0, 0],
    ] as const) {
      const answer = ask(accounts, keyOf("wallet", 7), { page });
      expect(answer?.data.map(({ lamports }) => lamports)).toEqual(
        Array.from({ length: count }, (_, at) => `${first - at}`),
      );
      const paging = { page, limit: 1_000, total: 2_500, totalPages: 3 };
      expect(answer?.meta).toMatchObject({ ...paging, stake });
    }
    const short = ask(accounts, keyOf("wallet", 7), { page: 2, limit: 2 });
    expect(short?.data.map(({ lamports }) => lamports)).toEqual(["2497", "2496"]);
    const own = { lamports: "0", withdrawAuthority: keyOf("wallet", 7) };
    expect(ask(accounts, keyOf("account", 0))?.data).toMatchObject([own]);
  });

  it("that is also the key of a stake account is answered as a wallet", () => {
    const records = recordsOf([{ account: 1, wallet: 2 }]);
    const [shard] = [...toShardedIndex(records, HEAD).shards()];
    const own = keyOf("account", 1);
    const both = {
      ...shard!,
      data: { ...shard!.data, wallets: [[own, 0, "0", []] as [string, number, string, []]] },
    };
    expect(findWallet(both, own)?.meta.role).toBe("withdrawAuthority");
  });

  it("has its amount in SOL rounded once", () => {
    const found = ask(
      [{ account: 1, wallet: 2, lamports: 12_662_364_310_394_177n }],
      keyOf("account", 1),
    );
    expect([found?.data[0]?.sol, found?.meta.stake.sol]).toEqual([
      12_662_364.310394177, 12_662_364.310394177,
    ]);
  });

  it.each(["__proto__", "constructor", keyOf("vote", 1)])("is not found by %s", (pubkey) => {
    expect(ask([{ account: 1, wallet: 2 }], pubkey)).toBeNull();
  });
});

describe("an account that was read twice", () => {
  it("counts once, as it was read last, and is of its last wallet alone", () => {
    const accounts = [
      { account: 1, wallet: 2, lamports: 5n },
      { account: 3, wallet: 2 },
      { account: 1, wallet: 4, lamports: 6n },
    ];
    expect(toIndex(accounts).stakeAccounts).toBe(2);
    const last = { lamports: "6", withdrawAuthority: keyOf("wallet", 4) };
    expect(ask(accounts, keyOf("account", 1))?.data).toMatchObject([last]);
    expect(ask(accounts, keyOf("wallet", 2))?.data).toMatchObject([
      { stakeAccount: keyOf("account", 3) },
    ]);
  });
});

describe("a wallet of more accounts than one shard should hold", () => {
  const accounts = [
    ...many(30_000, () => ({ wallet: CROWD, lamports: 6n })),
    ...many(30_000, (account) => ({
      wallet: CROWD + 2_048 * (1 + Math.floor(account / 2_000)),
    })).map((one) => ({ ...one, account: one.account + 30_000 })),
  ];
  const shards = [...toIndex(accounts).shards()];
  const listed = (wallet: number) => {
    const pubkey = keyOf("wallet", wallet);
    const shard = shards.find(({ meta }) => meta.shard === toWalletShard(pubkey, shards.length));
    return findWallet(shard!, pubkey, { page: 1 })!.meta;
  };

  it("lists 21,000, and its pages end there, though it counts all", () => {
    expect(listed(CROWD)).toMatchObject({ total: 30_000, totalPages: 21 });
  });

  it("leaves a thousand of the others their place", () => {
    for (const wallet of [1, 15])
      expect(listed(CROWD + 2_048 * wallet)).toMatchObject({ total: 2_000, totalPages: 1 });
  });

  it("makes no shard that the proxy would not read", () => {
    const sizes = shards.map((shard) => JSON.stringify(shard).length);
    expect(Math.max(...sizes)).toBeLessThan(DOCUMENT_MAX_BYTES);
  });
});

it("a shard that somebody fills keeps its largest accounts, and says how many it lost", () => {
  const at = (place: number) => CROWD + 2_048 * place;
  const accounts = many(25_000, (place) => ({ wallet: at(place), lamports: BigInt(place) }));
  const index = toIndex(accounts.map((one) => ({ ...one, account: at(one.account) })));
  const crowded = [...index.shards()].filter(({ meta }) => meta.leftOut > 0);
  expect(crowded.reduce((sum, { meta }) => sum + meta.leftOut, 0)).toBe(2 * 5_000);
  const find = (kind: "account" | "wallet", place: number) =>
    crowded.flatMap((shard) => findWallet(shard, keyOf(kind, at(place))) ?? []).length;
  for (const kind of ["account", "wallet"] as const)
    expect([find(kind, 5_000), find(kind, 4_999)]).toEqual([1, 0]);
});
