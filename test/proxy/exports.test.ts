import { expect, it } from "vitest";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { describeProxy, readDocument, readError } from "./_setup.ts";
import { LATEST_EPOCH, makeMainnet } from "./fixtures.ts";

const EVENTS_CSV = "/exports/mainnet/events.csv";
const CLOSED = LATEST_EPOCH - 1;
const HISTORY_CSV = `/exports/mainnet/history/${CLOSED}.csv`;
const HISTORY_PARQUET = `/exports/mainnet/history/${CLOSED}.parquet`;

const bodyOf = (path: string) => makeMainnet().find(({ key }) => key === path.slice(1))?.body;

describeProxy("exports", (open) => {
  it.each([
    [EVENTS_CSV, FORMS.csv.contentType],
    [HISTORY_CSV, FORMS.csv.contentType],
    [HISTORY_PARQUET, FORMS.parquet.contentType],
  ])("are passed through byte by byte, each with the type of its form: %s", async (path, contentType) => {
    const { request } = await open();
    const response = await request(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe(contentType);
    expect(response.headers.get("cache-control")).toBe(CACHE_CLASSES.snapshot);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bodyOf(path));
    const etag = response.headers.get("etag") ?? "";
    expect((await request(path, { headers: { "if-none-match": etag } })).status).toBe(304);
  });

  it("are compressed as CSV, and as Parquet never", async () => {
    const { request } = await open();
    const ask = (path: string) => request(path, { headers: { "accept-encoding": "gzip" } });
    await expect.poll(async () => (await ask(HISTORY_CSV)).headers.get("content-encoding")).toBe("gzip");
    const parquet = await ask(HISTORY_PARQUET);
    expect(parquet.headers.get("content-encoding")).toBeNull();
    expect(parquet.headers.get("vary")).toBeNull();
  });

  it("are listed by a document of the API, which is 404 for a network that was never observed", async () => {
    const { request } = await open();
    const { data } = await readDocument("exports", await request("/api/v1/exports"));
    expect(data.map(({ path }) => path)).toEqual([HISTORY_CSV, HISTORY_PARQUET]);
    await readError(await request("/api/v1/exports?network=testnet"), 404, "not_found");
  });

  it.each([
    ["/exports/devnet/events.csv", 400, "invalid_network"],
    ["/exports/devnet/history/1.parquet", 400, "invalid_network"],
    ["/exports/mainnet/history/-1.csv", 400, "invalid_parameter"],
    ["/exports/mainnet/history/1e3.parquet", 400, "invalid_parameter"],
    ["/exports/mainnet/history/7.csv", 404, "not_found"],
    ["/exports/testnet/events.csv", 404, "not_found"],
    [`${HISTORY_CSV}/`, 404, "not_found"],
    [`/exports/mainnet/history/${CLOSED}.json`, 404, "not_found"],
    ["/exports/mainnet/other.csv", 404, "not_found"],
    ["/exports/mainnet/history/..%2fevents.csv", 400, "invalid_parameter"],
  ] as const)("are refused by what is wrong with the path: %s", async (path, status, code) => {
    const { request } = await open();
    await readError(await request(path), status, code);
  });

  it("are not served of bytes that are none", async () => {
    const { world, request } = await open();
    await world.put({ key: EVENTS_CSV.slice(1), body: new TextEncoder().encode("<html></html>") });
    await world.put({ key: HISTORY_PARQUET.slice(1), body: new TextEncoder().encode("PAR1 cut") });
    for (const path of [EVENTS_CSV, HISTORY_PARQUET]) await readError(await request(path), 503, "upstream_unavailable");
  });
});
