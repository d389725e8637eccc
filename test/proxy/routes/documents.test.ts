import { expect, it } from "vitest";
import { describeProxy, readDocument, readError } from "../_setup.ts";
import { LATEST_EPOCH, makeEvent, MAINNET, makeUptime, publish, toPubkey } from "../fixtures.ts";

const OF_VALIDATOR = `/api/v1/validators/${toPubkey(1)}`;
const OF_STRANGER = `/api/v1/validators/${toPubkey(99)}`;
const ATOM = "/feeds/mainnet/rug.atom";
const JSON_FEED = "/feeds/mainnet/rug.json";
const EVENTS_CSV = "/exports/mainnet/events.csv";
const HISTORY_PARQUET = `/exports/mainnet/history/${LATEST_EPOCH - 1}.parquet`;

/** The key of an address in the store. */
const toKey = (path: string) =>
  path.startsWith("/api/") ? `${path.replace("/api/v1", "api/v1/mainnet")}.json` : path.slice(1);
const bodyOf = (path: string) => MAINNET.find(({ key }) => key === toKey(path))!.body;

describeProxy("static documents", (open, request) => {
  it("of a validator's events leave repeats of a pattern out when they are asked to", async () => {
    const pattern = {
      kind: "serial_flip",
      source: "COMMISSION",
      from: 0,
      to: 100,
      epochs: 3,
      ofEpochs: 3,
    } as const;
    const data = [0, 1, 2].map((ago) => {
      const epoch = LATEST_EPOCH - ago;
      return makeEvent({
        epoch,
        pattern: { ...pattern, firstEpoch: 7, lastEpoch: epoch, changes: 5 },
      });
    });
    const names = { votePubkey: toPubkey(1) };
    const meta = { network: "mainnet" as const, total: 3, ...names };
    const { request } = await open({
      published: [...MAINNET, publish("validatorEvents", names, { data, meta })],
    });
    const events = async (query: string) =>
      readDocument("validatorEvents", await request(`${OF_VALIDATOR}/events${query}`));
    for (const query of ["", "?collapse=false"])
      expect(await events(query)).toEqual({ data, meta });
    expect(await events("?collapse=true")).toEqual({
      data: data.slice(0, 1),
      meta: { ...meta, total: 1 },
    });
    const stranger = await readDocument(
      "validatorEvents",
      await request(`${OF_STRANGER}/events?collapse=true`),
    );
    expect(stranger.data).toEqual([]);
    const refused = await readError(
      await request(`${OF_VALIDATOR}/events?collapse=yes`),
      400,
      "invalid_parameter",
    );
    expect(refused).toBe('collapse must be one of true, false, not "yes".');
  });

  it("of an epoch without an export lead to the list of those with one", async () => {
    const message = await readError(
      await request("/exports/mainnet/history/7.csv"),
      404,
      "not_found",
    );
    expect(message).toMatch(
      /^Epoch 7 of mainnet has no export.*\/api\/v1\/exports\?network=mainnet lists all files\.$/,
    );
  });

  it.each([
    "rugs.atom",
    "RUG.atom",
    "rug.xml",
    "rug",
    "rug.atom/",
    "..%2fsecret.json",
    "rug.json.json",
  ])("are no feed, and the store is not asked, under %s", async (name) => {
    const { world, request } = await open();
    await readError(await request(`/feeds/mainnet/${name}`), 404, "not_found");
    expect(world.reads).toEqual([]);
  });

  it("of a validator never seen are no feed, and of no vote account refused", async () => {
    expect((await request(`/feeds/mainnet/validators/${toPubkey(1)}.atom`)).status).toBe(200);
    const unseen = await request(`/feeds/mainnet/validators/${toPubkey(2)}.atom`);
    expect(await readError(unseen, 404, "not_found")).toBe(
      `No feed shows ${toPubkey(2)} on mainnet: we never saw a validator with this vote account.`,
    );
    await readError(await request("/feeds/mainnet/validators/rug.json"), 400, "invalid_pubkey");
    await readError(
      await request(`/feeds/mainnet/validators/${toPubkey(1)}.xml`),
      404,
      "not_found",
    );
  });

  it("of a path with a network take theirs from there, whatever the query says", async () => {
    for (const query of ["network=testnet", "network=nonsense&network=twice"])
      expect((await request(`${ATOM}?${query}`)).status).toBe(200);
  });

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
  ])("have no vote account %s, and the store is not asked", async (key) => {
    const { world, request } = await open();
    for (const rest of [
      "",
      "/events",
      "/commission-history",
      "/stake-history",
      "/uptime",
      "/location",
    ]) {
      const message = await readError(
        await request(`/api/v1/validators/${key}${rest}`),
        400,
        "invalid_pubkey",
      );
      expect(message).toContain("Base58 of exactly 32 bytes");
      expect(message.length).toBeLessThan(250);
    }
    expect(world.reads).toEqual([]);
  });

  it.each(["-1", "1.5", "01", "1e3", "latest", "9007199254740992", "%20", "1%2f2", "..%2fsecret"])(
    "have no epoch %s, and the store is not asked",
    async (epoch) => {
      const { world, request } = await open();
      for (const path of [
        `/api/v1/epochs/${epoch}/events`,
        `/exports/mainnet/history/${epoch}.csv`,
      ]) {
        const message = await readError(await request(path), 400, "invalid_parameter");
        expect(message).toMatch(/^epoch must be a whole number from 0 to 9007199254740991, not "/);
      }
      expect(world.reads).toEqual([]);
    },
  );

  const textOf = (path: string) => Buffer.from(bodyOf(path)).toString();
  it.each([
    ["a page of the host", ATOM, "<!doctype html><html></html>"],
    ["a cut body", ATOM, textOf(ATOM).slice(0, -10)],
    ["the feed of another network", ATOM, textOf(ATOM).replaceAll("mainnet", "testnet")],
    ["another feed", JSON_FEED, textOf(JSON_FEED).replaceAll("rug.json", "info.json")],
    ["a document", JSON_FEED, '{"data":[],"meta":{"network":"mainnet"}}'],
    ["no CSV", EVENTS_CSV, "<html></html>"],
    ["a cut Parquet", HISTORY_PARQUET, "PAR1 cut"],
    ["broken days", `${OF_VALIDATOR}/uptime?days=1`, '{"data":[{"date":"yesterday"}]}'],
  ])("that the store gives wrongly are not served: %s", async (_, path, text) => {
    const { world, request } = await open();
    await world.put({ key: toKey(path.split("?")[0]!), body: Buffer.from(text) });
    const response = await request(path);
    await readError(response, 503, "upstream_unavailable");
    expect(response.headers.get("retry-after")).toBe("5");
  });

  it("of uptime sum up only the newest days asked for, and what there is when more are", async () => {
    const { data, meta } = await readDocument(
      "uptime",
      await request(`${OF_VALIDATOR}/uptime?days=2`),
    );
    expect(data.map(({ date }) => date)).toEqual(["2026-11-18", "2026-11-19"]);
    const sums = {
      known: true,
      daysTracked: 2,
      overallUptimePercent: 99.48,
      uptimeChecks: 2_880,
      delinquentChecks: 15,
    };
    expect(meta).toEqual({ network: "mainnet", votePubkey: toPubkey(1), ...sums });
    const all = await readDocument(
      "uptime",
      await request(`${OF_VALIDATOR}/uptime?days=9007199254740991`),
    );
    expect(all).toEqual(makeUptime(toPubkey(1)));
  });
});
