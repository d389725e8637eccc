import { expect, it } from "vitest";
import { OPERATIONS } from "../../generator/contract/operations.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import type { Share } from "../../generator/contract/stats.ts";
import { SLOTS_PER_EPOCH } from "../service/harness.ts";
import { readAnswer, type Api } from "./_api.ts";

const sumOf = (shares: readonly Pick<Share, "activeStake">[]) =>
  shares.reduce((sum, { activeStake }) => sum + BigInt(activeStake.lamports), 0n);

/** Entities, largest first, until they hold 33.33 % of what all of them hold. */
function countToThird(shares: readonly Share[]): number {
  const needed = sumOf(shares) * 3333n;
  const count = shares.findIndex((_, index) => sumOf(shares.slice(0, index + 1)) * 10_000n >= needed);
  return count + 1;
}

export function describeNetwork(api: () => Api): void {
  it.each(NETWORKS)("counts the stake of %s by what holds it, and how few hold a third", async (network) => {
    const response = await api().request(`/api/v1/stats/stake-concentration?network=${network}`);
    const { data } = await readAnswer(response, OBJECTS.stakeConcentration.schema);
    const { nakamotoCoefficients, summary, ...lists } = data;
    const staked = api().indexes[network].validators.filter(
      ({ inValidatorSet, activeStake }) => inValidatorSet && activeStake.lamports !== "0",
    );
    const located = staked.filter(({ location }) => location !== null);
    const at = (part: "country" | "city" | "dataCenter") =>
      sumOf(located.filter(({ location }) => location?.[part] !== null));
    const [total, found] = [sumOf(staked), sumOf(located)];
    expect(summary).toMatchObject({
      validatorCount: staked.length,
      totalStake: { lamports: String(total) },
      locatedStake: { lamports: String(found) },
      uniqueCountries: lists.byCountry.length,
      uniqueCities: lists.byCity.length,
      uniqueClients: lists.byClient.length,
    });
    const percent = Number((found * 1_000_000n) / total) / 10_000;
    expect(summary.geoCoveragePercent).toBeCloseTo(percent, 1);
    expect(percent > 50 && percent < 100).toBe(true);
    expect(lists.byValidator.map(({ name, activeStake }) => [name, activeStake])).toEqual(
      staked.map(({ name, votePubkey, activeStake }) => [name ?? votePubkey, activeStake]),
    );
    expect([lists.byValidator, lists.byClient, lists.byCountry, lists.byCity, lists.byDataCenter].map(sumOf)).toEqual([
      total,
      total,
      at("country"),
      at("city"),
      at("dataCenter"),
    ]);
    for (const [by, shares] of Object.entries(lists)) {
      expect(shares.length).toBeGreaterThan(1);
      const stakes = shares.map(({ activeStake }) => BigInt(activeStake.lamports));
      expect(stakes).toEqual(stakes.toSorted((one, other) => Number(other > one) - Number(other < one)));
      expect(nakamotoCoefficients[by as keyof typeof lists]).toBe(countToThird(shares));
      expect(shares.reduce((sum, { stakePercent }) => sum + stakePercent, 0)).toBeCloseTo(100, 1);
    }
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
