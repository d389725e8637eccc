import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { SEARCH_MAX_RESULTS } from "../../generator/contract/search.ts";
import { FIRST_EPOCH } from "../service/harness.ts";
import { EPOCHS } from "./_networks.ts";
import { readAnswer, type Api } from "./_setup.ts";

export function describeValidators(api: () => Api): void {
  describe("the list of validators", () => {
    const list = async (network: Network, query: string) =>
      readAnswer(await api().request(`/api/v1/validators?network=${network}&${query}`), OBJECTS.validators.schema);

    it.each(NETWORKS)("of %s is whole and in order, whatever the size of a page", async (network) => {
      const { validators } = api().index(network);
      for (const limit of [1, 7, 50, 100]) {
        const { meta } = await list(network, `limit=${limit}`);
        expect(meta).toMatchObject({
          limit,
          total: validators.length,
          totalPages: Math.ceil(validators.length / limit),
        });
        const pages = Array.from({ length: meta.totalPages }, (_, index) =>
          list(network, `limit=${limit}&page=${index + 1}`),
        );
        expect((await Promise.all(pages)).flatMap(({ data }) => data)).toEqual(validators);
      }
      const stakes = validators.map(({ activeStake }) => BigInt(activeStake.lamports));
      expect(stakes).toEqual(stakes.toSorted((one, other) => Number(other > one) - Number(other < one)));
      expect(validators.map(({ rank }) => rank)).toEqual(validators.map((_, index) => index + 1));
    });

    it("of mainnet has more than a page, and none past the last", async () => {
      const [first, second, third] = await Promise.all([1, 2, 3].map((page) => list("mainnet", `page=${page}`)));
      expect(first?.data).toHaveLength(50);
      expect(second?.data.length).toBeGreaterThan(0);
      expect(third).toMatchObject({ data: [], meta: { page: 3, totalPages: 2 } });
    });

    it.each(NETWORKS)("of %s adds up to the network's stake", async (network) => {
      const { data, meta } = await list(network, "limit=100");
      const total = data.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
      expect(meta.networkStake).toEqual({ lamports: String(total), sol: Number(total) / 1e9 });
      const percent = data.reduce((sum, { stakePercent }) => sum + stakePercent, 0);
      expect(percent).toBeCloseTo(100, 1);
    });

    it.each(NETWORKS)("of %s has the fields that begin each profile", async (network) => {
      const { data } = await list(network, "limit=100");
      for (const row of data) {
        const response = await api().request(`/api/v1/validators/${row.votePubkey}?network=${network}`);
        const profile = await readAnswer(response, OBJECTS.validator.schema);
        expect(profile.data).toMatchObject({ ...row, listed: true, lastSeenAt: null });
      }
    });
  });

  describe("the histories of a validator", () => {
    const ordinary = ({ index }: Api, network: Network) => {
      const { validators } = index(network);
      return validators[0]?.votePubkey ?? "";
    };

    it.each(NETWORKS)("of %s have every epoch, oldest first", async (network) => {
      const votePubkey = ordinary(api(), network);
      for (const kind of ["commissionHistory", "stakeHistory"] as const) {
        const path = ENDPOINTS[kind].path.replace("{votePubkey}", votePubkey);
        const { data, meta } = await readAnswer(
          await api().request(`${path}?network=${network}`),
          OBJECTS[kind].schema,
        );
        const epochs = (data as { epoch: number }[]).map(({ epoch }) => epoch);
        expect(epochs).toEqual(Array.from({ length: EPOCHS[network] }, (_, ordinal) => FIRST_EPOCH + ordinal));
        expect(meta).toEqual({ network, total: EPOCHS[network], votePubkey });
      }
    });

    it("count its checks by day, and days= takes the newest and sums them", async () => {
      const votePubkey = ordinary(api(), "mainnet");
      const uptime = async (query: string) =>
        readAnswer(await api().request(`/api/v1/validators/${votePubkey}/uptime?${query}`), OBJECTS.uptime.schema);
      const whole = await uptime("");
      expect(whole.data.map(({ date }) => date)).toEqual(["2026-11-20", "2026-11-21"]);
      for (const [days, data] of [
        [1, whole.data.slice(-1)],
        [2, whole.data],
        [1000, whole.data],
      ] as const) {
        const newest = await uptime(`days=${days}`);
        const checks = data.reduce((sum, { uptimeChecks }) => sum + uptimeChecks, 0);
        expect(newest).toMatchObject({ data, meta: { daysTracked: data.length, uptimeChecks: checks, votePubkey } });
      }
    });
  });

  describe("the search", () => {
    const search = async (q: string, network: Network = "mainnet") => {
      const query = new URLSearchParams({ q, network });
      return readAnswer(await api().request(`/api/v1/search?${query.toString()}`), ENDPOINTS.search.document);
    };

    it.each(NETWORKS)("finds every validator of %s by its key, whole or in part, in any case", async (network) => {
      const { validators, unlisted } = api().index(network);
      for (const { votePubkey } of [...validators, ...unlisted]) {
        for (const q of [votePubkey, votePubkey.toLowerCase(), votePubkey.slice(0, 9), votePubkey.slice(5, 20)]) {
          const { data, meta } = await search(q, network);
          expect(data[0]?.votePubkey).toBe(votePubkey);
          expect(meta).toEqual({ network, total: data.length, query: q });
        }
      }
    });

    it("finds every named validator by its name, in any case", async () => {
      const { validators } = api().index("mainnet");
      const named = validators.flatMap(({ votePubkey, name }) => (name === null ? [] : [{ votePubkey, name }]));
      expect(named.length).toBeGreaterThan(30);
      for (const { votePubkey, name } of named) {
        const { data } = await search(name.toUpperCase());
        expect(data.map((result) => result.votePubkey)).toContain(votePubkey);
        expect(data[0]?.name?.toUpperCase()).toBe(name.toUpperCase());
      }
    });

    it("finds parts of names by rank, at most so many", async () => {
      const { validators } = api().index("mainnet");
      const { data, meta } = await search("  a ".trim().padEnd(2, "e"));
      expect(data.length).toBeLessThanOrEqual(SEARCH_MAX_RESULTS);
      expect(meta.total).toBe(data.length);
      const shown = new Map(validators.map((validator) => [validator.votePubkey, validator]));
      for (const result of data) {
        const { name, rank, activeStake, delinquent, identityPubkey, iconUrl } = shown.get(result.votePubkey) ?? {};
        expect(result).toEqual({
          votePubkey: result.votePubkey,
          name,
          rank,
          activeStake,
          delinquent,
          identityPubkey,
          iconUrl,
        });
        expect(`${name} ${result.votePubkey}`.toLowerCase()).toContain("ae");
      }
    });

    it("trims what it searches for, and finds nothing of what there is not", async () => {
      expect(await search("  no such validator ")).toEqual({
        data: [],
        meta: { network: "mainnet", total: 0, query: "no such validator" },
      });
    });
  });
}
