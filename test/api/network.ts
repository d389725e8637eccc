import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../generator/contract/endpoints.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import type { Share } from "../../generator/contract/stats.ts";
import { SLOTS_PER_EPOCH } from "../service/harness.ts";
import { readAnswer, type Api } from "./_setup.ts";

const sumOf = (shares: readonly Share[]) =>
  shares.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);

/** Entities, largest first, until they hold 33.33 % of what all of them hold. */
function countToThird(shares: readonly Share[]): number {
  const needed = sumOf(shares) * 3333n;
  const count = shares.findIndex((_, index) => sumOf(shares.slice(0, index + 1)) * 10_000n >= needed);
  return count + 1;
}

export function describeNetwork(api: () => Api): void {
  describe("the concentration of stake", () => {
    const read = async (network: Network) =>
      (
        await readAnswer(
          await api().request(`/api/v1/stats/stake-concentration?network=${network}`),
          OBJECTS.stakeConcentration.schema,
        )
      ).data;
    const LISTS = ["byCountry", "byDataCenter", "byCity", "byAsn", "byValidator", "byClient"] as const;

    it.each(NETWORKS)("of %s counts all stake of the set by validator and by client", async (network) => {
      const { validators } = api().index(network);
      const staked = validators.filter(
        ({ inValidatorSet, activeStake }) => inValidatorSet && activeStake.lamports !== "0",
      );
      const { summary, byValidator, byClient } = await read(network);
      const total = staked.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
      expect([sumOf(byValidator), sumOf(byClient)]).toEqual([total, total]);
      expect(summary).toMatchObject({ validatorCount: staked.length, totalStake: { lamports: String(total) } });
      expect(byValidator.map(({ name, activeStake }) => [name, activeStake])).toEqual(
        staked.map(({ name, votePubkey, activeStake }) => [name ?? votePubkey, activeStake]),
      );
    });

    it.each(NETWORKS)("of %s counts by place what is located there", async (network) => {
      const { validators } = api().index(network);
      const { summary, byCountry, byCity, byDataCenter } = await read(network);
      const located = validators.filter(
        ({ inValidatorSet, activeStake, location }) =>
          inValidatorSet && activeStake.lamports !== "0" && location !== null,
      );
      const stakeWith = (part: "country" | "city" | "dataCenter") =>
        located
          .filter(({ location }) => location?.[part] !== null)
          .reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
      expect([sumOf(byCountry), sumOf(byCity), sumOf(byDataCenter)]).toEqual([
        stakeWith("country"),
        stakeWith("city"),
        stakeWith("dataCenter"),
      ]);
      const locatedStake = located.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);
      expect(summary.locatedStake.lamports).toBe(String(locatedStake));
      const percent = Number((locatedStake * 1_000_000n) / BigInt(summary.totalStake.lamports)) / 10_000;
      expect(summary.geoCoveragePercent).toBeCloseTo(percent, 1);
      expect(percent).toBeGreaterThan(50);
      expect(percent).toBeLessThan(100);
    });

    it.each(NETWORKS)("of %s needs as many entities for a third as its coefficients say", async (network) => {
      const { nakamotoCoefficients, summary, ...lists } = await read(network);
      for (const list of LISTS) {
        const shares = lists[list];
        expect(shares.length).toBeGreaterThan(1);
        const stakes = shares.map(({ activeStake }) => BigInt(activeStake.lamports));
        expect(stakes).toEqual(stakes.toSorted((one, other) => Number(other > one) - Number(other < one)));
        expect(nakamotoCoefficients[list]).toBe(countToThird(shares));
        expect(shares.reduce((sum, { stakePercent }) => sum + stakePercent, 0)).toBeCloseTo(100, 1);
      }
      expect([summary.uniqueCountries, summary.uniqueCities, summary.uniqueClients]).toEqual([
        lists.byCountry.length,
        lists.byCity.length,
        lists.byClient.length,
      ]);
    });
  });

  describe("the epoch", () => {
    it.each(NETWORKS)("of %s is read from the cluster", async (network) => {
      const { cluster, clock } = api().stages[network];
      const { moment } = cluster.at(clock.now());
      const response = await api().request(`/api/v1/epoch?network=${network}`);
      const { data, meta } = await readAnswer(response, ENDPOINTS.epoch.document);
      const epochStartedAt = new Date(cluster.calendar.timeOf(moment.ordinal, 0));
      const epochEndsAt = new Date(cluster.calendar.timeOf(moment.ordinal + 1, 0));
      expect(data).toMatchObject({
        epoch: moment.epoch,
        slotIndex: moment.slotIndex,
        slotsInEpoch: SLOTS_PER_EPOCH,
        absoluteSlot: moment.slot,
        progressPercent: Math.round((moment.slotIndex * 10_000) / SLOTS_PER_EPOCH) / 100,
        live: true,
      });
      expect(Math.abs(Date.parse(data.epochStartedAt ?? "") - epochStartedAt.getTime())).toBeLessThan(5_000);
      expect(Math.abs(Date.parse(data.epochEndsAt ?? "") - epochEndsAt.getTime())).toBeLessThan(5_000);
      expect(meta).toEqual({ network });
    });
  });

  describe("the status", () => {
    it.each(NETWORKS)("of %s says when it was observed, and how each source is", async (network) => {
      const { data } = await readAnswer(
        await api().request(`/api/v1/status?network=${network}`),
        OBJECTS.status.schema,
      );
      const { validators, snapshotAt, latestEpoch } = api().index(network);
      expect(validators.length).toBeGreaterThan(9);
      expect(data).toMatchObject({ network, snapshotAt, epoch: latestEpoch, refused: [], quarantined: [] });
      const mev = data.sources.find(({ name }) => name === "mev");
      expect(mev?.state).toBe(network === "alpenglow" ? "off" : "ok");
      const others = data.sources.filter(({ name }) => name !== "mev");
      expect(others.map(({ state }) => state)).toEqual(others.map(() => "ok"));
    });
  });
}
