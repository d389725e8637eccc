import { expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { epochDocumentSchema } from "../../generator/contract/epoch.ts";
import { describeProxy, readBody, readError, type Proxy } from "./_setup.ts";
import { LATEST_EPOCH, makeIndex, makeMainnet, publish } from "./fixtures.ts";

const INFO = {
  epoch: LATEST_EPOCH,
  slotIndex: 216_000,
  slotsInEpoch: 432_000,
  absoluteSlot: LATEST_EPOCH * 432_000 + 216_000,
};

async function getEpoch(request: Proxy["request"], query = "") {
  return (await readBody(await request(`/api/v1/epoch${query}`), epochDocumentSchema)).data;
}

describeProxy("GET /api/v1/epoch", (open) => {
  it("reads the cluster, and measures time with the slots of the snapshot", async () => {
    const { world, request } = await open();
    world.readEpoch = () => Promise.resolve(INFO);
    const response = await request("/api/v1/epoch");
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES.epoch);
    expect(await readBody(response, epochDocumentSchema)).toEqual({
      data: {
        ...INFO,
        progressPercent: 50,
        epochStartedAt: "2026-11-20T00:00:00.000Z",
        epochEndsAt: "2026-11-21T00:00:00.000Z",
        live: true,
      },
      meta: { network: "mainnet" },
    });
  });

  it("asks the cluster once in half a minute, however many ask", async () => {
    const { world, request } = await open();
    const asked: string[] = [];
    world.readEpoch = (network) => {
      asked.push(network);
      return Promise.resolve({ ...INFO, slotIndex: 216_000 + asked.length });
    };
    await Promise.all(Array.from({ length: 20 }, () => getEpoch(request)));
    world.now += 29_999;
    expect(await getEpoch(request)).toMatchObject({ slotIndex: 216_001 });
    expect(asked).toEqual(["mainnet"]);
    world.now += 1;
    expect(await getEpoch(request)).toMatchObject({ slotIndex: 216_002 });
    expect(asked).toEqual(["mainnet", "mainnet"]);
  });

  it("carries the snapshot's reading on while the cluster is silent, and asks it no more often for that", async () => {
    const { world, request } = await open();
    let asked = 0;
    world.readEpoch = () => Promise.reject(new Error(`silent ${++asked}`));
    world.now += 20_000;
    expect(await getEpoch(request)).toMatchObject({ epoch: LATEST_EPOCH, slotIndex: 1_100, live: false });
    world.now += 2_000;
    expect(await getEpoch(request)).toMatchObject({ slotIndex: 1_110, live: false });
    expect(asked).toBe(1);
    expect(world.log.filter(({ message }) => message.includes("epoch"))).toHaveLength(1);
  });

  it("says that it is old while the cluster is silent, and no longer when it answers", async () => {
    const { world, request } = await open();
    world.now += 600_000;
    const toHeaders = ({ headers }: Response) => [headers.get("x-data-stale"), headers.get("age")];
    const [, age] = toHeaders(await request("/api/v1/epoch"));
    expect(Number(age)).toBeGreaterThanOrEqual(600);
    world.now += 86_400_000;
    expect(toHeaders(await request("/api/v1/epoch"))).toEqual(["true", String(Number(age) + 86_400)]);
    expect(await getEpoch(request)).toMatchObject({ epoch: LATEST_EPOCH, slotIndex: 431_999, live: false });
    world.readEpoch = () => Promise.resolve({ ...INFO, epoch: LATEST_EPOCH + 1 });
    world.now += 30_000;
    await expect.poll(async () => toHeaders(await request("/api/v1/epoch"))).toEqual([null, null]);
    expect(await getEpoch(request)).toMatchObject({ epoch: LATEST_EPOCH + 1, live: true });
  });

  it("carries its own reading on if that is newer than the snapshot's", async () => {
    const { world, request } = await open();
    world.now += 60_000;
    world.readEpoch = () => Promise.resolve(INFO);
    expect(await getEpoch(request)).toMatchObject({ slotIndex: 216_000, live: true });
    world.readEpoch = () => Promise.reject(new Error("silent"));
    world.now += 30_000;
    expect(await getEpoch(request)).toMatchObject({ slotIndex: 216_150, live: false });
  });

  it("shows the reading as it is where no slot time was measured", async () => {
    const index = makeIndex();
    const { world, request } = await open({
      published: [publish("index", {}, { ...index, epoch: { ...index.epoch!, slotMilliseconds: null } })],
    });
    world.now += 600_000;
    expect(await getEpoch(request)).toMatchObject({
      slotIndex: 1_000,
      epochStartedAt: null,
      epochEndsAt: null,
      live: false,
    });
  });

  it("is live for a network without data, without estimates", async () => {
    const { world, request } = await open({ published: [] });
    world.readEpoch = () => Promise.resolve(INFO);
    expect(await getEpoch(request, "?network=alpenglow")).toMatchObject({ ...INFO, epochEndsAt: null, live: true });
  });

  it("answers 503 when neither cluster nor snapshot can tell", async () => {
    const { request } = await open();
    const response = await request("/api/v1/epoch?network=testnet");
    await readError(response, 503, "upstream_unavailable");
    expect(response.headers.get("retry-after")).toBe("30");
  });

  it("is live while the store is down", async () => {
    const { world, request } = await open();
    world.storeDown = true;
    world.readEpoch = () => Promise.resolve(INFO);
    expect(await getEpoch(request)).toMatchObject({ ...INFO, live: true });
  });

  it("takes the words of one network for no other", async () => {
    const { world, request } = await open({ published: makeMainnet() });
    world.readEpoch = (network) =>
      network === "testnet" ? Promise.resolve({ ...INFO, epoch: 7 }) : Promise.reject(new Error("silent"));
    expect(await getEpoch(request, "?network=testnet")).toMatchObject({ epoch: 7, live: true });
    expect(await getEpoch(request)).toMatchObject({ epoch: LATEST_EPOCH, live: false });
  });
});
