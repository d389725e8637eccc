import { describe, expect, it } from "vitest";
import { SEVERITIES, type CommissionEvent } from "../../generator/contract/event.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { OBJECTS } from "../../generator/contract/objects.ts";
import { FIRST_EPOCH } from "../service/harness.ts";
import { EPOCHS } from "./_networks.ts";
import { readAnswer, type Api } from "./_setup.ts";

const latestOf = (network: Network) => FIRST_EPOCH + EPOCHS[network] - 1;

/** Newest first by slot, then by when they were seen. */
function expectNewestFirst(events: readonly CommissionEvent[]): void {
  const order = events.map(({ slot, createdAt }) => `${String(slot).padStart(12, "0")} ${createdAt}`);
  expect(order).toEqual(order.toSorted().reverse());
}

export function describeEvents(api: () => Api): void {
  describe("the feed of events", () => {
    const feed = async (network: Network, query: string) =>
      readAnswer(await api().request(`/api/v1/events?network=${network}&${query}`), OBJECTS.events.schema);

    it("of mainnet has every severity and source, in more epochs than are shown by default", async () => {
      const { data } = await feed("mainnet", "epochs=50");
      expect(new Set(data.map(({ severity, source }) => `${severity} ${source}`)).size).toBe(6);
      expect(new Set(data.map(({ epoch }) => epoch)).size).toBeGreaterThan(10);
      expect(data.some(({ fromDisabled }) => fromDisabled) && data.some(({ toDisabled }) => toDisabled)).toBe(true);
    });

    it.each(NETWORKS)("of %s is that of its validators together", async (network) => {
      const { data } = await feed(network, "epochs=50");
      const { validators, unlisted } = api().index(network);
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
      const byId = (events: readonly CommissionEvent[]) =>
        events.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      expect(byId(data)).toEqual(byId(own.flat()));
      expectNewestFirst(data);
    });

    it("covers just as many epochs as asked for", async () => {
      const all = (await feed("mainnet", "epochs=50")).data;
      for (const epochs of [1, 2, 10, 12, 13, 50]) {
        const { data, meta } = await feed("mainnet", `epochs=${epochs}`);
        expect(data).toEqual(all.filter(({ epoch }) => epoch > latestOf("mainnet") - epochs));
        expect(meta).toEqual({
          network: "mainnet",
          total: data.length,
          latestEpoch: latestOf("mainnet"),
          epochs,
          severity: null,
        });
      }
    });

    it.each(NETWORKS)("of %s is the sum of its severities", async (network) => {
      const all = await feed(network, "epochs=50");
      const parts = await Promise.all(SEVERITIES.map((severity) => feed(network, `epochs=50&severity=${severity}`)));
      for (const [index, { data, meta }] of parts.entries()) {
        expect(data).toEqual(all.data.filter(({ severity }) => severity === SEVERITIES[index]));
        expect(meta).toMatchObject({ severity: SEVERITIES[index], total: data.length });
      }
      expect(parts.reduce((sum, { meta }) => sum + meta.total, 0)).toBe(all.meta.total);
    });
  });

  describe("the rugs", () => {
    const rugs = async (network: Network, query: string) =>
      readAnswer(
        await api().request(`/api/v1/stats/rugs-per-epoch?network=${network}&${query}`),
        OBJECTS.rugsPerEpoch.schema,
      );
    const ofEpoch = async (network: Network, epoch: number) =>
      readAnswer(await api().request(`/api/v1/epochs/${epoch}/events?network=${network}`), OBJECTS.epochEvents.schema);
    const allRugs = (network: Network) =>
      api()
        .index(network)
        .events.filter(({ severity }) => severity === "RUG");

    it.each(NETWORKS)("of an epoch of %s are the newest of each validator and source", async (network) => {
      const all = allRugs(network);
      expect(all.length).toBeGreaterThan(3);
      for (let epoch = FIRST_EPOCH; epoch <= latestOf(network); epoch += 1) {
        const { data, meta } = await ofEpoch(network, epoch);
        const newest = new Map<string, CommissionEvent>();
        for (const event of all.filter((rug) => rug.epoch === epoch).toReversed())
          newest.set(`${event.votePubkey} ${event.source}`, event);
        expect(new Set(data)).toEqual(new Set(newest.values()));
        expectNewestFirst(data);
        const uniqueValidators = new Set(data.map(({ votePubkey }) => votePubkey)).size;
        expect(meta).toEqual({ network, epoch, total: data.length, uniqueValidators });
      }
    });

    it.each(NETWORKS)("per epoch of %s count those of each epoch", async (network) => {
      const all = allRugs(network);
      const { data, meta } = await rugs(network, "epochs=100");
      expect(data.map(({ epoch }) => epoch)).toEqual(
        Array.from({ length: EPOCHS[network] }, (_, ordinal) => FIRST_EPOCH + ordinal),
      );
      for (const row of data) {
        const own = all.filter(({ epoch }) => epoch === row.epoch);
        const of = (source: string) => own.filter((event) => event.source === source);
        expect([row.commissionEvents, row.mevEvents]).toEqual([of("COMMISSION").length, of("MEV").length]);
        expect(row.totalEvents).toBe(own.length);
        expect(row.uniqueValidators).toBe(new Set(own.map(({ votePubkey }) => votePubkey)).size);
      }
      const ruggedEpochs = Map.groupBy(all, ({ votePubkey }) => votePubkey);
      const epochsOf = (events: CommissionEvent[]) => new Set(events.map(({ epoch }) => epoch)).size;
      expect(meta.global).toMatchObject({
        totalRuggedValidators: ruggedEpochs.size,
        repeatOffenders: [...ruggedEpochs.values()].filter((events) => epochsOf(events) > 1).length,
        epochsTracked: EPOCHS[network],
        commissionEvents: all.filter(({ source }) => source === "COMMISSION").length,
        mevEvents: all.filter(({ source }) => source === "MEV").length,
        peakValidators: Math.max(...data.map(({ uniqueValidators }) => uniqueValidators)),
      });
    });

    it("per epoch come in pages that are together all there are", async () => {
      const whole = await rugs("mainnet", "epochs=100");
      for (const epochs of [1, 4, 10]) {
        const pages = [];
        for (let offset = 0; offset < EPOCHS.mainnet; offset += epochs) {
          const page = await rugs("mainnet", `epochs=${epochs}&offset=${offset}`);
          expect(page.meta).toEqual({ ...whole.meta, epochs, offset });
          pages.unshift(...page.data);
        }
        expect(pages).toEqual(whole.data);
      }
      expect((await rugs("mainnet", `offset=${EPOCHS.mainnet}`)).data).toEqual([]);
    });
  });
}
