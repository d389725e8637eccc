import { expect, it } from "vitest";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { LATEST_EPOCH, makeEvent, makeIndex, publish } from "./fixtures.ts";

describeProxy("GET /api/v1/events", (open) => {
  it("gives the events of the newest ten epochs", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument("events", await request("/api/v1/events"));
    expect(data.map((event) => event.epoch)).toEqual([LATEST_EPOCH, LATEST_EPOCH, LATEST_EPOCH - 9]);
    expect(data[0]).toEqual(makeEvent());
    expect(meta).toEqual({ network: "mainnet", total: 3, latestEpoch: LATEST_EPOCH, epochs: 10, severity: null });
  });

  it.each([
    [1, 2],
    [9, 2],
    [10, 3],
    [11, 4],
    [49, 4],
    [50, 5],
  ])("counts epoch numbers: the newest %i hold %i", async (epochs, total) => {
    const { request } = await open();
    const { data, meta } = await readDocument("events", await request(`/api/v1/events?epochs=${epochs}`));
    expect(data).toHaveLength(total);
    expect(meta).toMatchObject({ total, epochs });
  });

  it.each([
    ["RUG", 3],
    ["CAUTION", 1],
    ["INFO", 1],
  ])("filters by %s and says so", async (severity, total) => {
    const { request } = await open();
    const { data, meta } = await readDocument("events", await request(`/api/v1/events?epochs=50&severity=${severity}`));
    expect(data.map((event) => event.severity)).toEqual(Array.from({ length: total }, () => severity));
    expect(meta).toMatchObject({ total, severity });
  });

  it.each([
    "epochs=0",
    "epochs=51",
    "epochs=ten",
    "severity=rug",
    "severity=",
    "severity=NONE",
    "severity=RUG&severity=RUG",
  ])("refuses %s", async (query) => {
    const { request } = await open();
    await readError(await request(`/api/v1/events?${query}`), 400, "invalid_parameter");
  });

  it("names the severities to choose from", async () => {
    const { request } = await open();
    const message = await readError(await request("/api/v1/events?severity=rug"), 400, "invalid_parameter");
    expect(message).toBe('severity must be one of RUG, CAUTION, INFO, not "rug".');
  });

  it("knows no latest epoch of a network without data", async () => {
    const { request } = await open();
    const { data, meta } = await readDocument(
      "events",
      await request("/api/v1/events?network=alpenglow&severity=INFO"),
    );
    expect(data).toEqual([]);
    expect(meta).toEqual({ network: "alpenglow", total: 0, latestEpoch: null, epochs: 10, severity: "INFO" });
  });

  it("covers all there is while the cluster is young", async () => {
    const young = makeIndex({ latestEpoch: 2, events: [makeEvent({ epoch: 0 })] });
    const { request } = await open({ published: [publish("index", {}, young)] });
    const { data } = await readDocument("events", await request("/api/v1/events"));
    expect(data.map((event) => event.epoch)).toEqual([0]);
  });
});
