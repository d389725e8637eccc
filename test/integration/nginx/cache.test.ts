import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  LATEST_EPOCH,
  makeEvent,
  makeIndex,
  MAINNET,
  makeValidator,
  publish,
  toPubkey,
} from "../../proxy/fixtures.ts";
import { startServer } from "../../rpc/rpc-server.ts";
import {
  askAt,
  hasNginx,
  newClient,
  startEdge,
  startNginx,
  type Edge,
  type EdgeOptions,
} from "./_edge.ts";

const LIST = "/api/v1/validators";
const LIST_KEPT_SECONDS = 300;

let edge: Edge | undefined;
afterEach(async () => {
  await edge?.close();
  edge = undefined;
});
const start = async (options?: EdgeOptions) => (edge = await startEdge(options));

const cacheOf = ({ headers }: { headers: Record<string, unknown> }) => headers["x-cache"];

describe.skipIf(!hasNginx)("what the cache before the proxy gives", () => {
  it("is the same again, without asking the proxy", async () => {
    const { ask, closeProxy } = await start();
    const first = await ask(LIST);
    await closeProxy();
    const second = await ask(LIST);
    expect([cacheOf(first), cacheOf(second)]).toEqual(["MISS", "HIT"]);
    expect(second.status).toBe(200);
    expect(second.body.equals(first.body)).toBe(true);
    expect(second.headers.etag).toBe(first.headers.etag);
  });

  it("tells when the proxy made it, so that a browser knows its age", async () => {
    const { ask } = await start();
    const first = await ask(LIST);
    await expect.poll(() => new Date().toUTCString()).not.toBe(first.headers.date);
    expect((await ask(LIST)).headers.date).toBe(first.headers.date);
  });

  it("is another for each network", async () => {
    const testnet = publish(
      "index",
      {},
      makeIndex({ network: "testnet", validators: [] }),
      "testnet",
    );
    const { ask } = await start({ published: [...MAINNET, testnet] });
    const totals = [];
    for (const network of ["mainnet", "testnet", "mainnet", "testnet"]) {
      const { meta } = JSON.parse((await ask(`${LIST}?network=${network}`)).body.toString()) as {
        meta: object;
      };
      totals.push(meta);
    }
    expect(totals[0]).toMatchObject({ network: "mainnet", total: 60 });
    expect(totals[1]).toMatchObject({ network: "testnet", total: 0 });
    expect(totals.slice(2)).toEqual(totals.slice(0, 2));
  });

  it("is no error", async () => {
    const { ask, world } = await start();
    const path = `/api/v1/validators/${toPubkey(77)}`;
    for (let time = 1; time <= 2; time += 1) {
      const answer = await ask(path);
      expect([answer.status, cacheOf(answer), answer.headers["cache-control"]]).toEqual([
        404,
        "MISS",
        "no-store",
      ]);
    }
    world.storeDown = true;
    expect((await ask(`${LIST}?network=testnet`)).status).toBe(503);
    world.storeDown = false;
    world.now += 60_000;
    expect((await ask(`${LIST}?network=testnet`)).status).toBe(200);
  });

  it("has nothing of the client that it was fetched for", async () => {
    const { ask } = await start({ perMinute: 60 });
    const { headers: own } = await ask(LIST);
    expect(own).toMatchObject({
      "x-ratelimit-limit": "60",
      "x-ratelimit-remaining": "59",
      "x-ratelimit-reset": "60",
    });
    expect(own["ratelimit"]).toBe('"default";r=59;t=60');
    const { headers } = await ask(LIST);
    expect(Object.keys(headers).filter((name) => name.includes("ratelimit"))).toEqual([
      "x-ratelimit-limit",
      "ratelimit-policy",
    ]);
  });

  it("is 304 without asking the proxy for a client that holds it", async () => {
    const { ask, closeProxy } = await start();
    const { headers } = await ask(LIST);
    await closeProxy();
    for (const tag of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, "*"]) {
      const answer = await ask(LIST, { headers: { "if-none-match": tag } });
      expect([answer.status, answer.body.length, answer.headers.etag], tag).toEqual([
        304,
        0,
        headers.etag,
      ]);
      expect(answer.headers["cache-control"]).toBe(headers["cache-control"]);
    }
    expect((await ask(LIST, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("is for HEAD and GET alike", async () => {
    const { ask } = await start();
    const head = await ask(LIST, { method: "HEAD" });
    expect([head.status, head.body.length, cacheOf(head)]).toEqual([200, 0, "MISS"]);
    const get = await ask(LIST);
    expect([cacheOf(get), get.headers["content-length"]]).toEqual([
      "HIT",
      head.headers["content-length"],
    ]);
  });

  it("is compressed for who takes gzip, and plain for who does not", async () => {
    const { ask } = await start();
    const plain = await ask(LIST);
    for (const coding of ["gzip, br", "gzip;q=1.0,deflate;q=0.6,identity;q=0.3"]) {
      const packed = await ask(LIST, { headers: { "accept-encoding": coding } });
      const { etag, vary, "content-encoding": sent } = packed.headers;
      expect([cacheOf(packed), etag, vary, sent]).toEqual([
        "HIT",
        `W/${plain.headers.etag}`,
        "Accept-Encoding",
        "gzip",
      ]);
      expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
    }
    for (const coding of ["deflate", "identity", "gzip;q=0"])
      expect(
        (await ask(LIST, { headers: { "accept-encoding": coding } })).body.equals(plain.body),
        coding,
      ).toBe(true);
  });

  it.each([LIST, "/api/v1/events", "/api/v1/events?epochs=50&severity=RUG"])(
    "is compressed for a lone poller in the first answer after each change: %s",
    async (path) => {
      const { ask, ageCache, world } = await start();
      let etag = "";
      for (let change = 1; change <= 3; change += 1) {
        // Older than all that is served while it is asked for anew.
        if (change > 1) await ageCache(2 * LIST_KEPT_SECONDS + 1);
        const epoch = LATEST_EPOCH;
        const events = [...makeIndex().events, makeEvent({ epoch, toCommission: 90 + change })];
        const snapshotAt = new Date((world.now += 600_000)).toISOString();
        await world.put(publish("index", {}, makeIndex({ snapshotAt, events })));
        const headers = { "accept-encoding": "gzip, br, zstd", "if-none-match": etag };
        const { status, headers: sent, body } = await ask(path, { headers });
        expect([status, sent["content-encoding"]]).toEqual([200, "gzip"]);
        expect(sent["x-cache"]).toMatch(/MISS|EXPIRED/);
        expect(sent.etag).not.toBe(etag);
        const alone = await edge!.askProxy(path);
        expect(gunzipSync(body).equals(alone.body)).toBe(true);
        expect(body.length).toBeLessThan(alone.body.length / 2);
        etag = sent.etag!;
      }
    },
  );

  it("is fetched once for many that want it at once", async () => {
    const { ask, askProxy } = await start();
    // The proxy has read its store: it answers before anybody has waited in vain.
    await askProxy(LIST);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(LIST)));
    expect(answers.filter((answer) => cacheOf(answer) === "MISS")).toHaveLength(1);
  });
});

describe.skipIf(!hasNginx)("what cannot be cached", () => {
  const CLIENTS = 16;
  /** With nginx's lock the second client would wait for five seconds. */
  const MOST_MILLISECONDS = 2_500;

  it("is asked for by many at once: nobody waits until the one before has an answer", async () => {
    const waiting: ServerResponse[] = [];
    const proxy = await startServer((_, response) => {
      waiting.push(response);
      if (waiting.length < CLIENTS) return;
      for (const one of waiting) one.writeHead(404, { "cache-control": "no-store" }).end("{}");
    });
    const nginx = await startNginx(new URL(proxy.url).host);
    onTestFinished(async () => {
      await nginx.stop();
      await proxy.close();
    });
    const beganAt = performance.now();
    const path = `/api/v1/validators/${toPubkey(77)}`;
    const ask = askAt(nginx.url);
    const answers = await Promise.all(Array.from({ length: CLIENTS }, () => ask(path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(404));
    expect(performance.now() - beganAt).toBeLessThan(MOST_MILLISECONDS);
  });

  it("makes whoever waits in vain wait for less than the tenth of a second that a 404 may take", () => {
    const conf = readFileSync(join(import.meta.dirname, "../../../infra/nginx/cache.conf"), "utf8");
    const [, milliseconds] = /^proxy_cache_lock_timeout (\d+)ms;$/m.exec(conf) ?? [];
    expect(Number(milliseconds)).toBeLessThanOrEqual(75);
  });

  it.each(["/healthz", "/readyz"])("is health, which no cache is asked for: %s", async (path) => {
    const answer = await (await start()).ask(path);
    expect([answer.status, cacheOf(answer)]).toEqual([200, "PASS"]);
  });
});

describe.skipIf(!hasNginx)("what is cached and old", () => {
  it("is fetched anew behind the back of who asks", async () => {
    const { ask, ageCache, world } = await start();
    const before = await ask(LIST);
    const [, ...others] = makeIndex().validators;
    await world.put(
      publish(
        "index",
        {},
        makeIndex({ validators: [makeValidator(1, { name: "Renamed" }), ...others] }),
      ),
    );
    world.now += 60_000;
    await ageCache(LIST_KEPT_SECONDS + 1);
    const old = await ask(LIST);
    expect([cacheOf(old), old.body.equals(before.body)]).toEqual(["STALE", true]);
    await expect.poll(async () => cacheOf(await ask(LIST))).toBe("HIT");
    expect((await ask(LIST)).body.toString()).toContain("Renamed");
  });

  it("is waited for when it is too old for that", async () => {
    const { ask, ageCache } = await start();
    await ask(LIST);
    await ageCache(2 * LIST_KEPT_SECONDS + 1);
    expect(cacheOf(await ask(LIST))).toBe("EXPIRED");
  });

  it("is given for a day while the proxy is away, and no longer", async () => {
    const { ask, ageCache, closeProxy } = await start();
    const before = await ask(LIST);
    await closeProxy();
    await ageCache(86_000);
    const old = await ask(LIST);
    expect([old.status, cacheOf(old), old.body.equals(before.body)]).toEqual([200, "STALE", true]);
    await ageCache(1_000);
    expect((await ask(LIST)).status).toBe(503);
  });

  it("gives way to an answer that the proxy itself calls old, which is not kept", async () => {
    const { ask, ageCache, world } = await start();
    await ask(LIST);
    world.storeDown = true;
    world.now += 3_600_000;
    await ageCache(2 * LIST_KEPT_SECONDS + 1);
    for (let time = 1; time <= 2; time += 1) {
      const { status, headers } = await ask(LIST);
      expect([status, headers["x-data-stale"], headers["x-cache"]]).toEqual([
        200,
        "true",
        "EXPIRED",
      ]);
      expect(Number(headers.age)).toBeGreaterThan(3_500);
    }
  });

  it("is refused to a client that has nothing left of the proxy's limit, and fetched for the next", async () => {
    const { ask, ageCache } = await start({ perMinute: 1 });
    const from = newClient();
    await ask(LIST, { from });
    await ageCache(2 * LIST_KEPT_SECONDS + 1);
    expect((await ask(LIST, { from })).status).toBe(429);
    expect((await ask(LIST)).status).toBe(200);
    // nginx caches an answer only after sending it.
    await expect.poll(async () => cacheOf(await ask(LIST, { from }))).toBe("HIT");
  });
});
