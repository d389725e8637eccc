import { describe, expect, it } from "vitest";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { FIRST_EPOCH } from "../service/harness.ts";
import { EPOCHS, readAnswer, type Api } from "./_api.ts";

export function describeValidators(api: () => Api): void {
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
}
