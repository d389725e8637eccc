import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { FIRST_EPOCH } from "../service/harness.ts";
import { EPOCHS, readAnswer, type Api } from "./_api.ts";

/** Newest first by slot, then by when they were seen. */
function expectNewestFirst(events: readonly CommissionEvent[]): void {
  const order = events.map(({ slot, createdAt }) => `${String(slot).padStart(12, "0")} ${createdAt}`);
  expect(order).toEqual(order.toSorted().reverse());
}

const votesOf = (events: readonly CommissionEvent[]) => new Set(events.map(({ votePubkey }) => votePubkey));

export function describeEvents(api: () => Api): void {
  const feed = async (network: Network) =>
    readAnswer(await api().request(`/api/v1/events?network=${network}&epochs=50`), OBJECTS.events.schema);

  it("tells of events of every severity and source, in more epochs than are shown by default", async () => {
    const { data } = await feed("mainnet");
    expect(new Set(data.map(({ severity, source }) => `${severity} ${source}`)).size).toBe(6);
    expect(new Set(data.map(({ epoch }) => epoch)).size).toBeGreaterThan(10);
    expect(data.some(({ fromDisabled }) => fromDisabled) && data.some(({ toDisabled }) => toDisabled)).toBe(true);
  });

  it.each(NETWORKS)("lists the events of %s that its validators list together", async (network) => {
    const { data } = await feed(network);
    const { validators, unlisted } = api().indexes[network];
    const own = await Promise.all(
      [...validators, ...unlisted].map(async ({ votePubkey }) => {
        const path = `/api/v1/validators/${votePubkey}/events?network=${network}`;
        const { data: events, meta } = await readAnswer(await api().request(path), OBJECTS.validatorEvents.schema);
        expect(meta).toEqual({ network, total: events.length, votePubkey });
        expect(events.filter((event) => event.votePubkey !== votePubkey)).toEqual([]);
        expectNewestFirst(events);
        return events;
      }),
    );
    const byId = (events: readonly CommissionEvent[]) => events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId(data)).toEqual(byId(own.flat()));
    expectNewestFirst(data);
  });

  describe.each(NETWORKS)("the rugs of %s", (network) => {
    const allRugs = () => api().indexes[network].events.filter(({ severity }) => severity === "RUG");

    it("of an epoch are the newest of each validator and source", async () => {
      const all = allRugs();
      expect(all.length).toBeGreaterThan(3);
      for (let ordinal = 0; ordinal < EPOCHS[network]; ordinal += 1) {
        const epoch = FIRST_EPOCH + ordinal;
        const response = await api().request(`/api/v1/epochs/${epoch}/events?network=${network}`);
        const { data, meta } = await readAnswer(response, OBJECTS.epochEvents.schema);
        const newest = new Map<string, CommissionEvent>();
        for (const event of all.filter((rug) => rug.epoch === epoch).toReversed())
          newest.set(`${event.votePubkey} ${event.source}`, event);
        expect(new Set(data)).toEqual(new Set(newest.values()));
        expectNewestFirst(data);
        expect(meta).toEqual({ network, epoch, total: data.length, uniqueValidators: votesOf(data).size });
      }
    });

    it("per epoch count those of each epoch", async () => {
      const all = allRugs();
      const response = await api().request(`/api/v1/stats/rugs-per-epoch?network=${network}&epochs=100`);
      const { data, meta } = await readAnswer(response, OBJECTS.rugsPerEpoch.schema);
      const epochs = Array.from({ length: EPOCHS[network] }, (_, ordinal) => FIRST_EPOCH + ordinal);
      const of = (source: string, events: readonly CommissionEvent[]) =>
        events.filter((event) => event.source === source).length;
      const counted = epochs.map((epoch) => {
        const own = all.filter((event) => event.epoch === epoch);
        return {
          epoch,
          uniqueValidators: votesOf(own).size,
          commissionEvents: of("COMMISSION", own),
          mevEvents: of("MEV", own),
          totalEvents: own.length,
        };
      });
      expect(data).toMatchObject(counted);
      const epochsByVote = Map.groupBy(all, ({ votePubkey }) => votePubkey)
        .values()
        .map((events) => new Set(events.map(({ epoch }) => epoch)).size)
        .toArray();
      expect(meta.global).toMatchObject({
        totalRuggedValidators: epochsByVote.length,
        repeatOffenders: epochsByVote.filter((count) => count > 1).length,
        epochsTracked: EPOCHS[network],
        commissionEvents: of("COMMISSION", all),
        mevEvents: of("MEV", all),
        peakValidators: Math.max(...data.map(({ uniqueValidators }) => uniqueValidators)),
      });
    });
  });
}
