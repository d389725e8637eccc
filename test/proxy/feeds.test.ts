import { expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { FEEDS } from "../../generator/contract/feed.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { describeProxy, readError } from "./_setup.ts";
import { makeMainnet, toPubkey } from "./fixtures.ts";

const ATOM = "/feeds/mainnet/rug.atom";
const JSON_FEED = "/feeds/mainnet/rug.json";

const OF_VALIDATOR = `/feeds/mainnet/validators/${toPubkey(1)}`;

const bodyOf = (path: string) => makeMainnet().find(({ key }) => key === path.slice(1))?.body;

describeProxy("feeds", (open) => {
  it.each([
    [ATOM, FORMS.atomFeed.contentType],
    [JSON_FEED, FORMS.jsonFeed.contentType],
    [`${OF_VALIDATOR}.atom`, FORMS.atomFeed.contentType],
    [`${OF_VALIDATOR}.json`, FORMS.jsonFeed.contentType],
  ])("are passed through byte by byte, each with the type of its form: %s", async (path, contentType) => {
    const { request } = await open();
    const response = await request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES.events);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bodyOf(path));
  });

  it.each([ATOM, JSON_FEED])("are not sent again to who has them: %s", async (path) => {
    const { request } = await open();
    const etag = (await request(path)).headers.get("etag") ?? "";
    const again = await request(path, { headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
    expect(again.headers.get("etag")).toBe(etag);
    expect(await again.text()).toBe("");
  });

  it("are compressed for who can read that, and stay of their type", async () => {
    const { request } = await open();
    const ask = () => request(JSON_FEED, { headers: { "accept-encoding": "gzip" } });
    await expect.poll(async () => (await ask()).headers.get("content-encoding")).toBe("gzip");
    const response = await ask();
    expect(response.headers.get("content-type")).toBe(FORMS.jsonFeed.contentType);
    expect(response.headers.get("vary")).toBe("Accept-Encoding");
  });

  it("answer HEAD and OPTIONS, and refuse to be written", async () => {
    const { request } = await open();
    const head = await request(ATOM, { method: "HEAD" });
    expect(head.headers.get("content-type")).toBe(FORMS.atomFeed.contentType);
    expect(await head.text()).toBe("");
    expect((await request(ATOM, { method: "OPTIONS" })).status).toBe(204);
    await readError(await request(ATOM, { method: "POST" }), 405, "method_not_allowed");
  });

  it.each(["devnet", "Mainnet", "%6dainnet%20", "..%2f..%2fstate"])(
    "of the network %s are refused",
    async (network) => {
      const { world, request } = await open();
      for (const name of ["rug.atom", "rug.json", "nothing.atom"]) {
        const message = await readError(await request(`/feeds/${network}/${name}`), 400, "invalid_network");
        expect(message).toContain("network must be one of mainnet, testnet, alpenglow");
      }
      expect(world.reads).toEqual([]);
    },
  );

  it("take their network from the path, whatever the query says", async () => {
    const { request } = await open();
    expect((await request(`${ATOM}?network=testnet`)).status).toBe(200);
    expect((await request(`${ATOM}?network=nonsense&network=twice`)).status).toBe(200);
  });

  it.each(["rugs.atom", "RUG.atom", "rug.xml", "rug", "rug.atom/", "..%2fsecret.json", "rug.json.json"])(
    "that are none are 404, and the store is not asked: %s",
    async (name) => {
      const { world, request } = await open();
      await readError(await request(`/feeds/mainnet/${name}`), 404, "not_found");
      expect(world.reads).toEqual([]);
    },
  );

  it.each(FEEDS)("of a network without data are 404: %s", async (feed) => {
    const { request } = await open();
    for (const ending of ["atom", "json"])
      await readError(await request(`/feeds/testnet/${feed}.${ending}`), 404, "not_found");
  });

  it("of a validator that nothing has happened to are 404, and of no vote account refused", async () => {
    const { request } = await open();
    const nothing = await request(`/feeds/mainnet/validators/${toPubkey(2)}.atom`);
    expect(await readError(nothing, 404, "not_found")).toContain(toPubkey(2));
    await readError(await request("/feeds/mainnet/validators/rug.json"), 400, "invalid_pubkey");
    await readError(await request(`${OF_VALIDATOR}.xml`), 404, "not_found");
  });

  it.each([
    ["a page of the host", ATOM, "<!doctype html><html></html>"],
    ["a cut body", ATOM, new TextDecoder().decode(bodyOf(ATOM)).slice(0, -10)],
    ["the feed of another network", ATOM, new TextDecoder().decode(bodyOf(ATOM)).replaceAll("mainnet", "testnet")],
    ["another feed", JSON_FEED, new TextDecoder().decode(bodyOf(JSON_FEED)).replaceAll("rug.json", "info.json")],
    ["a document", JSON_FEED, '{"data":[],"meta":{"network":"mainnet"}}'],
  ])("that the store gives wrongly are not served: %s", async (_, path, text) => {
    const { world, request } = await open();
    await world.put({ key: path.slice(1), body: new TextEncoder().encode(text) });
    await readError(await request(path), 503, "upstream_unavailable");
  });
});
