import { describe, expect, it } from "vitest";
import { PARAMETERS } from "../../../generator/contract/parameters.ts";
import { describeProxy, openSocket, readError } from "../_setup.ts";
import { LATEST_EPOCH, makeIndex, publish, SEEN_AT, toPubkey } from "../fixtures.ts";

const LIST = "/api/v1/validators";
const EVENTS = "/api/v1/events?severity=RUG";
const KNOWN = toPubkey(1);
const PUT_AT = new Date(SEEN_AT).toUTCString();
const [EARLIER, LATER] = [-1_000, 1_000].map((milliseconds) =>
  new Date(Date.parse(SEEN_AT) + milliseconds).toUTCString(),
) as [string, string];

const readTime = (response: Response) => response.headers.get("last-modified");

describeProxy("the time of an answer's last change", (_, request) => {
  it.each([
    LIST,
    `${LIST}?page=2`,
    EVENTS,
    "/api/v1/events?severity=RUG&Severity=x",
    "/api/v1/stats/rugs-per-epoch",
    `${LIST}/${KNOWN}`,
    `${LIST}/${KNOWN}/events?collapse=true`,
    `${LIST}/${KNOWN}/uptime?days=1`,
    "/api/v1/changes?after=1",
    "/api/v1/status",
    "/feeds/mainnet/rug.json",
    `/exports/mainnet/history/${LATEST_EPOCH - 1}.csv`,
    `/exports/mainnet/uptime/${PARAMETERS.month.example}.parquet`,
    `/badges/mainnet/${KNOWN}.svg`,
    `/validators/${KNOWN}`,
  ])("is on %s, on its HEAD, and on the 304 that it leads to", async (path) => {
    const response = await request(path);
    expect([response.status, readTime(response)]).toEqual([200, PUT_AT]);
    const headers = { "if-modified-since": PUT_AT };
    for (const method of ["GET", "HEAD"]) {
      expect(readTime(await request(path, { method }))).toBe(PUT_AT);
      const again = await request(path, { method, headers });
      expect([again.status, readTime(again), await again.text()]).toEqual([304, PUT_AT, ""]);
      expect(again.headers.get("etag")).toBe(response.headers.get("etag"));
    }
  });

  it.each([
    [200, "/api/v1/search?q=validator"],
    [200, `${LIST}/${toPubkey(99)}/events`],
    [200, "/api/v1/openapi.json"],
    [200, "/healthz"],
    [404, `${LIST}/${toPubkey(99)}`],
    [400, `${LIST}?page=0`],
  ])("is not on an answer that has none: %i %s", async (status, path) => {
    const headers = { "if-modified-since": LATER, "if-unmodified-since": EARLIER };
    for (const init of [{}, { headers }]) {
      const response = await request(path, init);
      expect([response.status, readTime(response)]).toEqual([status, null]);
    }
  });

  it.each([
    [304, { "if-modified-since": LATER }],
    [200, { "if-modified-since": EARLIER }],
    [200, { "if-modified-since": "yesterday" }],
    [200, { "if-modified-since": "" }],
    // RFC 9110, 13.1.3: an ETag says more.
    [200, { "if-modified-since": LATER, "if-none-match": '"other"' }],
    [304, { "if-modified-since": EARLIER, "if-none-match": "*" }],
    [200, { "if-unmodified-since": PUT_AT }],
    [200, { "if-unmodified-since": LATER }],
    [200, { "if-unmodified-since": "yesterday" }],
    [200, { "if-unmodified-since": EARLIER, "if-match": "*" }],
    [304, { "if-unmodified-since": PUT_AT, "if-modified-since": PUT_AT }],
  ])("answers %i to %j", async (status, headers) => {
    expect((await request(LIST, { headers })).status).toBe(status);
  });

  it("refuses whoever wants an older answer", async () => {
    const response = await request(LIST, { headers: { "if-unmodified-since": EARLIER } });
    expect(await readError(response, 412, "precondition_failed")).toBe(
      "The answer changed after If-Unmodified-Since.",
    );
  });
});

describe("a new snapshot", () => {
  it("is a change of those answers alone whose bytes it changes", async () => {
    const { world, url } = await openSocket();
    const read = async (path: string) => {
      const response = await fetch(url + path);
      return [response.headers.get("etag"), readTime(response)];
    };
    const before = [await read(EVENTS), await read(LIST)];
    world.now += 600_000;
    const snapshotAt = new Date(world.now).toISOString();
    await world.put(publish("index", {}, { ...makeIndex(), snapshotAt }));
    world.now += 60_000;
    const after = [await read(EVENTS), await read(LIST)];
    expect(after[0]).toEqual(before[0]);
    expect(after[1]?.[1]).toBe(new Date(snapshotAt).toUTCString());
    expect(after[1]?.[0]).not.toBe(before[1]?.[0]);
  });
});
