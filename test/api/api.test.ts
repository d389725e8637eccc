import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { fromObjectKey } from "../../generator/contract/object-keys.ts";
import { OBJECTS, type ObjectKind } from "../../generator/contract/objects.ts";
import type { Operation } from "../../generator/contract/operation.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { readSite } from "../service/documents.ts";
import { openApi, readAnswer, readError, type Api } from "./_api.ts";
import { SLOTS_PER_EPOCH } from "../cluster/options.ts";

const BY_NETWORK = Object.entries(OPERATIONS).flatMap(([name, operation]: [string, Operation]) =>
  operation.parameters.includes("network")
    ? NETWORKS.map((network) => ({ name, operation, network }))
    : [],
);

/** The address of an operation for a validator that is located, and the newest epoch. */
function addressOf({ indexes, wallets }: Api, { path, parameters }: Operation, network: Network) {
  const { validators, latestEpoch } = indexes[network];
  const located = validators.find(({ location }) => location !== null);
  const filled = path
    .replace("{votePubkey}", located?.votePubkey ?? "")
    .replace("{pubkey}", wallets[network].wallets[0]?.[0] ?? "")
    .replace("{epoch}", String(latestEpoch));
  return `${filled}?network=${network}${parameters.includes("q") ? "&q=va" : ""}`;
}

// Over the documents of three simulated clusters, which are played
// once. What is refused, and what is not there: test/proxy.
describe("the API", () => {
  let api: Api;
  beforeAll(async () => {
    api = await openApi();
  });
  afterAll(async () => {
    await api.close();
    expect(api.bugs).toEqual([]);
  });

  it.each(BY_NETWORK)(
    "answers $name of $network as its schema says, and mainnet's unnamed",
    async (row) => {
      const { operation, network } = row;
      const address = addressOf(api, operation, network);
      const response = await api.request(address);
      const body = await readAnswer(response.clone(), operation.document);
      expect(body).toHaveProperty("meta.network", network);
      if (network !== "mainnet") return;
      const unnamed = await api.request(address.replace("network=mainnet", ""));
      expect(await unnamed.text()).toBe(await response.text());
    },
  );

  it.each(NETWORKS)(
    "knows each wallet and each stake account of %s, and no vote account as one",
    async (network) => {
      const { wallets, stakeAccounts } = api.wallets[network];
      const ask = (pubkey: string) => api.request(`/api/v1/wallets/${pubkey}?network=${network}`);
      for (const [wallet, total, , accounts] of wallets.slice(0, 20)) {
        const { data, meta } = await readAnswer(await ask(wallet), OPERATIONS.wallet.document);
        expect(data.map(({ stakeAccount }) => stakeAccount)).toEqual(
          accounts.map(([stakeAccount]) => stakeAccount),
        );
        const stake = data.reduce((sum, { lamports }) => sum + BigInt(lamports), 0n);
        expect([meta.role, meta.total, meta.stake.lamports]).toEqual([
          "withdrawAuthority",
          total,
          String(stake),
        ]);
        for (const row of data) {
          expect(stakeAccounts.find(([key]) => key === row.stakeAccount)?.[1]).toBe(wallet);
          const own = await readAnswer(await ask(row.stakeAccount), OPERATIONS.wallet.document);
          expect([own.data, own.meta.role]).toEqual([[row], "stakeAccount"]);
        }
      }
      const { votePubkey } = api.indexes[network].validators[0]!;
      expect(await readError(await ask(votePubkey), 404)).toBe("wallet_not_found");
    },
  );

  const MADE_BY_PROXY = ["changes", "epoch", "search", "wallet", "watchFeed", "openapi"];
  it.each(NETWORKS)(
    "gives each published object of %s byte for byte, of every kind there is",
    async (network) => {
      const site = await readSite(api.stages[network]);
      const kinds = new Set<string>(MADE_BY_PROXY);
      for (const [key, text] of site) {
        const kind = fromObjectKey(network, key)?.kind ?? key;
        if (!OBJECTS[kind as ObjectKind].hasOperation) continue;
        kinds.add(kind);
        const document = new RegExp(`^api/v1/${network}/(.*)\\.json$`).exec(key)?.[1];
        const address =
          document === undefined ? `/${key}` : `/api/v1/${document}?network=${network}`;
        const response = await api.request(address);
        expect([address, response.status, await response.text()]).toEqual([address, 200, text]);
      }
      expect([...kinds].sort()).toEqual(Object.keys(OPERATIONS).sort());
      expect(site.size).toBeGreaterThan(70);
    },
  );

  it("lists events of every severity and source, newest first, which its validators list together", async () => {
    const newestFirst = (events: readonly CommissionEvent[]) => {
      const order = events.map(
        ({ slot, createdAt }) => `${String(slot).padStart(12, "0")} ${createdAt}`,
      );
      expect(order).toEqual(order.toSorted().reverse());
      return events;
    };
    const { validators, unlisted } = api.indexes.mainnet;
    const { data } = await readAnswer(
      await api.request("/api/v1/events?epochs=50"),
      OBJECTS.events.schema,
    );
    const own = await Promise.all(
      [...validators, ...unlisted].map(async ({ votePubkey }) => {
        const response = await api.request(`/api/v1/validators/${votePubkey}/events`);
        const { data: events, meta } = await readAnswer(response, OBJECTS.validatorEvents.schema);
        expect(meta).toEqual({ network: "mainnet", total: events.length, votePubkey });
        expect(events.filter((event) => event.votePubkey !== votePubkey)).toEqual([]);
        return newestFirst(events);
      }),
    );
    expect(new Set(newestFirst(data))).toEqual(new Set(own.flat()));
    expect(new Set(data.map(({ severity, source }) => `${severity} ${source}`)).size).toBe(6);
    expect(new Set(data.map(({ epoch }) => epoch)).size).toBeGreaterThan(10);
    expect(
      data.some(({ fromDisabled }) => fromDisabled) && data.some(({ toDisabled }) => toDisabled),
    ).toBe(true);
  });

  it.each(NETWORKS)("reads the epoch of %s from the cluster", async (network) => {
    const { cluster, clock } = api.stages[network];
    const { moment } = cluster.at(clock.now());
    const response = await api.request(`/api/v1/epoch?network=${network}`);
    const { data, meta } = await readAnswer(response, OPERATIONS.epoch.document);
    expect(data).toMatchObject({
      epoch: moment.epoch,
      slotIndex: moment.slotIndex,
      slotsInEpoch: SLOTS_PER_EPOCH,
      absoluteSlot: moment.slot,
      progressPercent: Math.round((moment.slotIndex * 10_000) / SLOTS_PER_EPOCH) / 100,
      live: true,
    });
    for (const [text, ordinal] of [
      [data.epochStartedAt, moment.ordinal],
      [data.epochEndsAt, moment.ordinal + 1],
    ] as const)
      expect(Math.abs(Date.parse(text ?? "") - cluster.calendar.timeOf(ordinal, 0))).toBeLessThan(
        5_000,
      );
    expect(meta).toEqual({ network });
  });

  it.each(NETWORKS)(
    "says in the status of %s when it was observed, and how each source is",
    async (network) => {
      const { data } = await readAnswer(
        await api.request(`/api/v1/status?network=${network}`),
        OBJECTS.status.schema,
      );
      const { validators, snapshotAt, latestEpoch } = api.indexes[network];
      expect(validators.length).toBeGreaterThan(9);
      expect(data).toMatchObject({
        network,
        snapshotAt,
        epoch: latestEpoch,
        refused: [],
        quarantined: [],
      });
      const mev = data.sources.find(({ name }) => name === "mev");
      expect(mev?.state).toBe(network === "alpenglow" ? "off" : "ok");
      const others = data.sources.filter(({ name }) => name !== "mev");
      expect(others.map(({ state }) => state)).toEqual(others.map(() => "ok"));
    },
  );
});
