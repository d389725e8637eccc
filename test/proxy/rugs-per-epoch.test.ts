import { expect, it } from "vitest";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { LATEST_EPOCH, makeIndex, TRACKED_EPOCHS } from "./fixtures.ts";

describeProxy("GET /api/v1/stats/rugs-per-epoch", (open) => {
  it("gives the newest ten epochs, oldest first, those without a RUG too", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("rugsPerEpoch", await request("/api/v1/stats/rugs-per-epoch"));
    expect(data.map(({ epoch }) => epoch)).toEqual(Array.from({ length: 10 }, (_, index) => LATEST_EPOCH - 9 + index));
    expect(data.some(({ totalEvents }) => totalEvents === 0)).toBe(true);
    expect(meta).toEqual({
      network: "mainnet",
      latestEpoch: LATEST_EPOCH,
      epochs: 10,
      offset: 0,
      total: TRACKED_EPOCHS,
      global: makeIndex().rugsGlobal,
    });
  });

  it("goes back by the offset", async () => {
    const { request } = await open();
    const response = await request("/api/v1/stats/rugs-per-epoch?epochs=3&offset=5");
    const { data, meta } = await readDocument("rugsPerEpoch", response);
    expect(data.map(({ epoch }) => epoch)).toEqual([LATEST_EPOCH - 7, LATEST_EPOCH - 6, LATEST_EPOCH - 5]);
    expect(meta).toMatchObject({ epochs: 3, offset: 5, latestEpoch: LATEST_EPOCH });
  });

  it("gives every tracked epoch once when it is paged through", async () => {
    const { request } = await open();
    const pages: number[][] = [];
    for (let offset = 0; offset < TRACKED_EPOCHS; offset += 50) {
      const response = await request(`/api/v1/stats/rugs-per-epoch?epochs=50&offset=${offset}`);
      pages.unshift((await readDocument("rugsPerEpoch", response)).data.map(({ epoch }) => epoch));
    }
    expect(pages.map((page) => page.length)).toEqual([20, 50, 50]);
    expect(pages.flat()).toEqual(makeIndex().rugsPerEpoch.map(({ epoch }) => epoch));
  });

  it.each([
    ["epochs=100&offset=119", 1],
    ["epochs=100&offset=120", 0],
    ["epochs=1&offset=9007199254740991", 0],
  ])("holds what is left at the far end: %s", async (query, length) => {
    const { request } = await open();
    const { data } = await readDocument("rugsPerEpoch", await request(`/api/v1/stats/rugs-per-epoch?${query}`));
    expect(data).toHaveLength(length);
  });

  it.each(["epochs=0", "epochs=101", "offset=-1", "offset=1.5", "offset=", "offset=1&offset=2"])(
    "refuses %s",
    async (query) => {
      const { request } = await open();
      await readError(await request(`/api/v1/stats/rugs-per-epoch?${query}`), 400, "invalid_parameter");
    },
  );

  it("sums up nothing for a network without data", async () => {
    const { request } = await open();
    const response = await request("/api/v1/stats/rugs-per-epoch?network=testnet");
    const { data, meta } = await readDocument("rugsPerEpoch", response);
    expect(data).toEqual([]);
    expect(meta).toMatchObject({ latestEpoch: null, total: 0, global: { epochsTracked: 0, peakEpoch: null } });
  });
});
