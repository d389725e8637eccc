import { expect, it } from "vitest";
import { describeProxy, readDocument, readError, type Proxy } from "../_setup.ts";
import { makeIndex, makeMainnet, makeValidator, publish, toPubkey } from "../fixtures.ts";

const PATHS = ["/api/v1/validators", `/api/v1/validators/${toPubkey(1)}`];
const INDEX_KEY = "api/v1/mainnet/index.json";

async function getFirstName({ request }: Proxy): Promise<string | null | undefined> {
  return (await readDocument("validators", await request("/api/v1/validators"))).data[0]?.name;
}

function publishNamed(name: string) {
  return publish("index", {}, makeIndex({ validators: [makeValidator(1, { name })] }));
}

describeProxy("what is held", (open) => {
  it("is read anew at most every 15 s, and swapped whole", async () => {
    const proxy = await open({ published: [publishNamed("Old")] });
    const { world } = proxy;
    expect(await getFirstName(proxy)).toBe("Old");
    await world.put(publishNamed("New"));
    world.now += 14_999;
    expect(await getFirstName(proxy)).toBe("Old");
    expect(world.reads).toEqual([INDEX_KEY]);
    world.now += 1;
    await expect.poll(() => getFirstName(proxy)).toBe("New");
    expect(world.reads).toEqual([INDEX_KEY, INDEX_KEY]);
  });

  it("is read once for many who ask at a time", async () => {
    const proxy = await open();
    await Promise.all(Array.from({ length: 20 }, () => getFirstName(proxy)));
    expect(proxy.world.reads).toEqual([INDEX_KEY]);
  });

  it("is not shown to anybody after a quiet hour", async () => {
    const proxy = await open({ published: [publishNamed("Old")] });
    await getFirstName(proxy);
    await proxy.world.put(publishNamed("New"));
    proxy.world.now += 3_600_000;
    expect(await getFirstName(proxy)).toBe("New");
  });

  it.each(PATHS)("is served at %s while the store is down, marked stale, and fresh again afterwards", async (path) => {
    const { world, request } = await open();
    const before = await request(path);
    expect(before.headers.get("x-data-stale")).toBeNull();
    expect(before.headers.get("age")).toBeNull();
    world.storeDown = true;
    world.now += 3_600_000;
    const during = await request(path);
    expect(during.status).toBe(200);
    expect(during.headers.get("etag")).toBe(before.headers.get("etag"));
    expect(during.headers.get("x-data-stale")).toBe("true");
    expect(during.headers.get("age")).toBe("3600");
    const unchanged = await request(path, { headers: { "if-none-match": before.headers.get("etag")! } });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers.get("x-data-stale")).toBe("true");
    expect(unchanged.headers.get("age")).toBe("3600");
    world.storeDown = false;
    world.now += 2_000;
    await expect.poll(async () => (await request(path)).headers.get("x-data-stale")).toBeNull();
  });

  it("outlives an index that cannot be read", async () => {
    const proxy = await open();
    const before = await getFirstName(proxy);
    for (const text of ['{"network":"mainnet"}', "<html>", "", "\u0000"]) {
      await proxy.world.put({ key: INDEX_KEY, body: new TextEncoder().encode(text) });
      proxy.world.now += 3_600_000;
      expect(await getFirstName(proxy)).toBe(before);
      expect(proxy.world.log.at(-1)).toMatchObject({
        level: "warn",
        message: expect.stringContaining(INDEX_KEY) as string,
      });
    }
  });

  it.each(PATHS)("answers 503 at %s when nothing is held, and asks the store no more than every 2 s", async (path) => {
    const { world, request } = await open();
    world.storeDown = true;
    for (let time = 0; time < 3; time++) {
      const response = await request(path);
      await readError(response, 503, "upstream_unavailable");
      expect(response.headers.get("retry-after")).toBe("5");
    }
    expect(world.reads).toEqual([...new Set(world.reads)]);
    world.storeDown = false;
    world.now += 2_000;
    expect((await request(path)).status).toBe(200);
  });

  it("tells a network without data from a store that is down", async () => {
    const { world, request } = await open({ published: makeMainnet() });
    expect((await request("/api/v1/validators?network=testnet")).status).toBe(200);
    world.storeDown = true;
    await readError(await request("/api/v1/validators?network=alpenglow"), 503, "upstream_unavailable");
  });
});
