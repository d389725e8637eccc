import { expect, it } from "vitest";
import type { ObjectKind } from "../../generator/contract/objects.ts";
import type { ErrorCode } from "../../generator/contract/errors.ts";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { LATEST_EPOCH, makeIndex, makeMainnet, makeProfile, makeUnlisted, publish, toPubkey } from "./fixtures.ts";

const OF_VALIDATOR = `/api/v1/validators/${toPubkey(1)}`;
const OF_STRANGER = `/api/v1/validators/${toPubkey(99)}`;

const DOCUMENTS: [ObjectKind, path: string, cache: keyof typeof CACHE_CLASSES][] = [
  ["validator", OF_VALIDATOR, "snapshot"],
  ["validatorEvents", `${OF_VALIDATOR}/events`, "events"],
  ["commissionHistory", `${OF_VALIDATOR}/commission-history`, "snapshot"],
  ["stakeHistory", `${OF_VALIDATOR}/stake-history`, "snapshot"],
  ["uptime", `${OF_VALIDATOR}/uptime`, "snapshot"],
  ["location", `${OF_VALIDATOR}/location`, "snapshot"],
  ["epochEvents", `/api/v1/epochs/${LATEST_EPOCH}/events`, "events"],
  ["stakeConcentration", "/api/v1/stats/stake-concentration", "snapshot"],
  ["status", "/api/v1/status", "status"],
];

const EMPTY: [ObjectKind, path: string, meta: object][] = [
  ["validatorEvents", `${OF_STRANGER}/events`, { total: 0, votePubkey: toPubkey(99) }],
  ["commissionHistory", `${OF_STRANGER}/commission-history`, { total: 0, votePubkey: toPubkey(99) }],
  ["stakeHistory", `${OF_STRANGER}/stake-history`, { total: 0, votePubkey: toPubkey(99) }],
  ["epochEvents", "/api/v1/epochs/0/events", { epoch: 0, total: 0, uniqueValidators: 0 }],
];

const MISSING: [path: string, code: ErrorCode][] = [
  [OF_STRANGER, "validator_not_found"],
  [`${OF_STRANGER}/location`, "location_not_found"],
];

describeProxy("static documents", (open) => {
  it.each(DOCUMENTS)("passes %s through byte by byte", async (kind, path, cache) => {
    const { request } = await open();
    const published = makeMainnet().find(({ key }) => key === `${path.replace("/api/v1", "api/v1/mainnet")}.json`);
    const response = await request(path);
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    await readDocument(kind, response);
    expect(bytes).toEqual(published?.body);
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES[cache]);
  });

  it.each(EMPTY)("answers %s with nothing when there is none", async (kind, path, meta) => {
    const { request } = await open();
    const document = await readDocument(kind, await request(path));
    expect(document).toEqual({ data: [], meta: { network: "mainnet", ...meta } });
    const elsewhere = await readDocument(kind, await request(`${path}?network=testnet`));
    expect(elsewhere).toEqual({ data: [], meta: { network: "testnet", ...meta } });
  });

  it.each(MISSING)("answers %s with 404", async (path, code) => {
    const { request } = await open();
    await readError(await request(path), 404, code);
    await readError(await request(`${path}?network=alpenglow`), 404, code);
  });

  it.each(["/api/v1/stats/stake-concentration", "/api/v1/status"])(
    "answers %s of a network without data with 404",
    async (path) => {
      const { request } = await open();
      await readError(await request(`${path}?network=testnet`), 404, "not_found");
    },
  );

  it.each([
    "abc",
    toPubkey(1).slice(1),
    `1${toPubkey(1)}`,
    toPubkey(1).replace(/.$/, "0"),
    toPubkey(1).replace(/.$/, "é"),
    "1".repeat(33),
    "z".repeat(44),
    "%00",
    "%ZZ",
    "..%2f..%2fetc",
    "x".repeat(5_000),
  ])("refuses the vote account %s on every path", async (key) => {
    const { request } = await open();
    const path = `/api/v1/validators/${key}`;
    for (const rest of ["", "/events", "/commission-history", "/stake-history", "/uptime", "/location"]) {
      const message = await readError(await request(`${path}${rest}`), 400, "invalid_pubkey");
      expect(message).toContain("Base58 of exactly 32 bytes");
      expect(message.length).toBeLessThan(250);
    }
  });

  it("takes the shortest key there is: 32 characters for 32 bytes of zero", async () => {
    const { request } = await open();
    await readError(await request(`/api/v1/validators/${"1".repeat(32)}`), 404, "validator_not_found");
  });

  it.each(["-1", "1.5", "01", "1e3", "latest", "9007199254740992", "%20", "1%2f2"])(
    "refuses the epoch %s",
    async (epoch) => {
      const { request } = await open();
      const message = await readError(await request(`/api/v1/epochs/${epoch}/events`), 400, "invalid_parameter");
      expect(message).toMatch(/^epoch must be a whole number from 0 to 9007199254740991, not "/);
    },
  );

  it("never reads the store for a name that is none", async () => {
    const { world, request } = await open();
    await request("/api/v1/validators/..%2f..%2fsecret");
    await request("/api/v1/epochs/..%2fsecret/events");
    expect(world.reads).toEqual([]);
  });

  it("asks the store for nothing of what the index does not know, and shows it when the index names it", async () => {
    const { world, request } = await open();
    for (const path of [OF_STRANGER, `${OF_STRANGER}/events`, "/api/v1/epochs/7/events"]) await request(path);
    expect(world.reads).toEqual(["api/v1/mainnet/index.json"]);
    const profile = { data: { ...makeProfile(99), votePubkey: toPubkey(99) }, meta: { network: "mainnet" as const } };
    await world.put(publish("validator", { votePubkey: toPubkey(99) }, profile));
    world.now += 15_000;
    expect((await request(OF_STRANGER)).status).toBe(404);
    await world.put(publish("index", {}, makeIndex({ unlisted: [makeUnlisted(99)] })));
    world.now += 15_000;
    await expect.poll(async () => (await request(OF_STRANGER)).status).toBe(200);
  });

  it("asks the store once for a location that is missing, then again a quarter of a minute later", async () => {
    const { world, request } = await open();
    const votePubkey = toPubkey(2);
    const path = `/api/v1/validators/${votePubkey}/location`;
    for (let time = 0; time < 3; time++) await request(path);
    const readings = () => world.reads.filter((key) => key.endsWith("location.json"));
    expect(readings()).toHaveLength(1);
    const { body } = makeMainnet().find(({ key }) => key.endsWith("location.json"))!;
    const moved = new TextDecoder().decode(body).replaceAll(toPubkey(1), votePubkey);
    await world.put({
      key: path.replace("/api", "api").replace("v1", "v1/mainnet") + ".json",
      body: Buffer.from(moved),
    });
    world.now += 15_000;
    await request(path);
    expect(readings()).toHaveLength(2);
    await expect.poll(async () => (await request(path)).status).toBe(200);
  });
});
