import { expect, it, onTestFinished, vi } from "vitest";
import { OBJECTS } from "../../../generator/contract/objects.ts";
import type { WalletDocument } from "../../../generator/contract/wallets.ts";
import { describeProxy, readError } from "../_setup.ts";
import { LATEST_EPOCH, makeIndex, makeWallets, publish, SEEN_AT, toPubkey } from "../fixtures.ts";

const [WALLET, STAKE_ACCOUNT, VOTE, STRANGER] = [1, 2, 3, 99].map(toPubkey) as [
  string,
  string,
  string,
  string,
];
const at = (pubkey: string) => `/api/v1/wallets/${pubkey}`;
const INDEX = publish("index", {}, makeIndex());

describeProxy("a wallet", (open, request) => {
  const row = {
    stakeAccount: STAKE_ACCOUNT,
    withdrawAuthority: WALLET,
    votePubkey: VOTE,
    lamports: "5000000000",
    sol: 5,
    stake: { lamports: "5000000000", sol: 5 },
    state: "active",
    validator: {
      name: "Validator 3",
      iconUrl: null,
      delinquent: false,
      commission: 5,
      appliedCommission: 0,
      nextAppliedCommission: 0,
      appliedCommissions: [null, null, 0, 0],
      mevCommission: 0,
      verdict: "bad",
      verdictReason: {
        code: "recent_rug",
        text: expect.stringContaining("raised its MEV commission") as string,
      },
    },
  };

  it.each([
    [WALLET, "withdrawAuthority"],
    [STAKE_ACCOUNT, "stakeAccount"],
  ])("is told by %s, as of the epoch of the index", async (pubkey, role) => {
    const document = (await (await request(at(pubkey))).json()) as WalletDocument;
    const stake = { lamports: "5000000000", sol: 5 };
    const asOf = { epoch: LATEST_EPOCH, slot: 7, asOf: SEEN_AT };
    expect(document).toEqual({
      data: [row],
      meta: {
        network: "mainnet",
        pubkey,
        role,
        ...asOf,
        page: 1,
        limit: 1_000,
        total: 1,
        totalPages: 1,
        stake,
      },
    });
  });

  it("is listed in pages", async () => {
    const read = async (query: string) =>
      (await (await request(at(WALLET) + query)).json()) as WalletDocument;
    const past = await read("?page=2&limit=1");
    expect([past.data, past.meta.total, past.meta.totalPages]).toEqual([[], 1, 1]);
    expect((await read("?limit=1")).data).toEqual([row]);
    for (const query of ["?limit=1001", "?limit=0", "?page=0"])
      await readError(await request(at(WALLET) + query), 400, "invalid_parameter");
  });

  it.each([STRANGER, VOTE])("is not found by %s", async (pubkey) => {
    const message = await readError(await request(at(pubkey)), 404, "wallet_not_found");
    expect(message).toContain(`read in epoch ${LATEST_EPOCH}`);
    expect(message).toContain("not a vote account");
  });

  it("is not found where no index was published", async () => {
    const { request } = await open({ published: [INDEX] });
    expect(await readError(await request(at(WALLET)), 404, "wallet_not_found")).toContain(
      "not been published yet",
    );
  });

  it.each([
    ["lacks its shard", makeWallets().slice(1)],
    [
      "has another shard in its place",
      makeWallets().map((one) => ({ ...one, body: replace(one.body, '"1-0"', '"58-0"') })),
    ],
    [
      "has a shard of another network",
      makeWallets().map((one) => ({ ...one, body: replace(one.body, "mainnet", "testnet") })),
    ],
    [
      "has a shard that is none",
      makeWallets().map((one) => ({ ...one, body: replace(one.body, "stakeAccounts", "others") })),
    ],
  ])("is no 404 where the index %s", async (_, published) => {
    const { request } = await open({ published: [INDEX, ...published] });
    await readError(await request(at(WALLET)), 503, "upstream_unavailable");
  });

  it("has one shard held, and checked once, for whoever asks next", async () => {
    const check = vi.spyOn(OBJECTS.walletShard.schema, "safeParse");
    onTestFinished(() => check.mockRestore());
    const { request, world } = await open();
    await request(at(WALLET));
    const shards = () => world.reads.filter((key) => key.includes("/wallets/"));
    expect([shards().length, check.mock.calls.length]).toEqual([1, 1]);
    await request(at(STAKE_ACCOUNT));
    await readError(await request(at(STRANGER)), 404, "wallet_not_found");
    expect([shards().length, check.mock.calls.length]).toEqual([1, 1]);
  });
});

function replace(body: Uint8Array, from: string, to: string): Uint8Array {
  return new TextEncoder().encode(new TextDecoder().decode(body).replaceAll(from, to));
}
