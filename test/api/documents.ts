import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { FIRST_EPOCH, SLOTS_PER_EPOCH } from "../service/harness.ts";
import { EPOCHS, readAnswer, type Api } from "./_api.ts";

export function describeDocuments(api: () => Api): void {
  describe("the list of validators", () => {
    const list = async (query: string) =>
      readAnswer(await api().request(`/api/v1/validators?${query}`), OBJECTS.validators.schema);

    it.each([7, 50])("is whole and in order in pages of %d, and empty past the last", async (limit) => {
      const { validators } = api().indexes.mainnet;
      const { meta } = await list(`limit=${limit}`);
      const numbers = Array.from({ length: meta.totalPages + 1 }, (_, index) => index + 1);
      const pages = await Promise.all(numbers.map((page) => list(`limit=${limit}&page=${page}`)));
      expect(pages.flatMap(({ data }) => data)).toEqual(validators);
      expect(pages.at(-1)?.data).toEqual([]);
      expect(meta.totalPages).toBe(Math.ceil(validators.length / limit));
    });

    it.each(NETWORKS)("of %s is by stake, adds up to the network's, and begins each profile", async (network) => {
      const { data, meta } = await list(`network=${network}&limit=100`);
      const stakes = data.map(({ activeStake }) => BigInt(activeStake.lamports));
      expect(stakes).toEqual(stakes.toSorted((one, other) => Number(other > one) - Number(other < one)));
      expect(data.map(({ rank }) => rank)).toEqual(data.map((_, index) => index + 1));
      const total = stakes.reduce((sum, stake) => sum + stake, 0n);
      expect(meta.networkStake).toEqual({ lamports: String(total), sol: Number(total) / 1e9 });
      expect(data.reduce((sum, { stakePercent }) => sum + stakePercent, 0)).toBeCloseTo(100, 1);
      for (const row of data) {
        const response = await api().request(`/api/v1/validators/${row.votePubkey}?network=${network}`);
        const profile = await readAnswer(response, OBJECTS.validator.schema);
        expect(profile.data).toMatchObject({ ...row, listed: true, lastSeenAt: null });
      }
    });
  });

  describe("the histories of a validator", () => {
    const largest = () => api().indexes.mainnet.validators[0]!.votePubkey;

    it.each(["commissionHistory", "stakeHistory"] as const)("have every epoch in %s, oldest first", async (kind) => {
      const response = await api().request(OPERATIONS[kind].path.replace("{votePubkey}", largest()));
      const { data, meta } = await readAnswer(response, OBJECTS[kind].schema);
      const epochs = (data as { epoch: number }[]).map(({ epoch }) => epoch);
      expect(epochs).toEqual(Array.from({ length: EPOCHS.mainnet }, (_, ordinal) => FIRST_EPOCH + ordinal));
      expect(meta).toMatchObject({ total: EPOCHS.mainnet, votePubkey: largest() });
    });

    it("count its checks by day, and days= takes the newest and sums them", async () => {
      const uptime = async (query: string) =>
        readAnswer(await api().request(`/api/v1/validators/${largest()}/uptime?${query}`), OBJECTS.uptime.schema);
      const whole = await uptime("");
      expect(whole.data.map(({ date }) => date)).toEqual(["2026-11-20", "2026-11-21"]);
      expect(await uptime("days=1000")).toEqual(whole);
      const newest = whole.data.at(-1)!;
      const { uptimeChecks } = newest;
      expect(await uptime("days=1")).toMatchObject({ data: [newest], meta: { daysTracked: 1, uptimeChecks } });
    });
  });

  describe("the search", () => {
    const search = async (q: string) => {
      const address = `/api/v1/search?${new URLSearchParams({ q }).toString()}`;
      return readAnswer(await api().request(address), OPERATIONS.search.document);
    };

    it("finds every validator by its key, whole or in part, in any case, and by its name", async () => {
      const { validators, unlisted } = api().indexes.mainnet;
      for (const { votePubkey, name } of [...validators, ...unlisted]) {
        for (const q of [votePubkey.toLowerCase(), votePubkey.slice(5, 20)]) {
          const { data, meta } = await search(q);
          expect([data[0]?.votePubkey, meta]).toEqual([
            votePubkey,
            { network: "mainnet", total: data.length, query: q },
          ]);
        }
        if (name === null) continue;
        const { data } = await search(name.toUpperCase());
        expect(data.map((result) => result.votePubkey)).toContain(votePubkey);
        expect(data[0]?.name?.toUpperCase()).toBe(name.toUpperCase());
      }
      expect(validators.filter(({ name }) => name !== null).length).toBeGreaterThan(30);
    });

    it("shows of a validator what the list shows, and finds nothing of what there is not", async () => {
      const { votePubkey, name, rank, activeStake, delinquent, identityPubkey, iconUrl } =
        api().indexes.mainnet.validators[0]!;
      const shown = { votePubkey, name, rank, activeStake, delinquent, identityPubkey, iconUrl };
      expect((await search(votePubkey)).data).toEqual([shown]);
      const meta = { network: "mainnet", total: 0, query: "no such validator" };
      expect(await search("  no such validator ")).toEqual({ data: [], meta });
    });
  });

  it("lists events of every severity and source, newest first, which its validators list together", async () => {
    const newestFirst = (events: readonly CommissionEvent[]) => {
      const order = events.map(({ slot, createdAt }) => `${String(slot).padStart(12, "0")} ${createdAt}`);
      expect(order).toEqual(order.toSorted().reverse());
      return events;
    };
    const { validators, unlisted } = api().indexes.mainnet;
    const { data } = await readAnswer(await api().request("/api/v1/events?epochs=50"), OBJECTS.events.schema);
    const own = await Promise.all(
      [...validators, ...unlisted].map(async ({ votePubkey }) => {
        const response = await api().request(`/api/v1/validators/${votePubkey}/events`);
        const { data: events, meta } = await readAnswer(response, OBJECTS.validatorEvents.schema);
        expect(meta).toEqual({ network: "mainnet", total: events.length, votePubkey });
        expect(events.filter((event) => event.votePubkey !== votePubkey)).toEqual([]);
        return newestFirst(events);
      }),
    );
    expect(new Set(newestFirst(data))).toEqual(new Set(own.flat()));
    expect(new Set(data.map(({ severity, source }) => `${severity} ${source}`)).size).toBe(6);
    expect(new Set(data.map(({ epoch }) => epoch)).size).toBeGreaterThan(10);
    expect(data.some(({ fromDisabled }) => fromDisabled) && data.some(({ toDisabled }) => toDisabled)).toBe(true);
  });

  it.each(NETWORKS)("reads the epoch of %s from the cluster", async (network) => {
    const { cluster, clock } = api().stages[network];
    const { moment } = cluster.at(clock.now());
    const response = await api().request(`/api/v1/epoch?network=${network}`);
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
      expect(Math.abs(Date.parse(text ?? "") - cluster.calendar.timeOf(ordinal, 0))).toBeLessThan(5_000);
    expect(meta).toEqual({ network });
  });

  it.each(NETWORKS)("says in the status of %s when it was observed, and how each source is", async (network) => {
    const { data } = await readAnswer(await api().request(`/api/v1/status?network=${network}`), OBJECTS.status.schema);
    const { validators, snapshotAt, latestEpoch } = api().indexes[network];
    expect(validators.length).toBeGreaterThan(9);
    expect(data).toMatchObject({ network, snapshotAt, epoch: latestEpoch, refused: [], quarantined: [] });
    const mev = data.sources.find(({ name }) => name === "mev");
    expect(mev?.state).toBe(network === "alpenglow" ? "off" : "ok");
    const others = data.sources.filter(({ name }) => name !== "mev");
    expect(others.map(({ state }) => state)).toEqual(others.map(() => "ok"));
  });
}
