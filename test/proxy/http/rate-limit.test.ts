import { afterEach, expect, it, vi } from "vitest";
import { describeProxy, readError } from "../_setup.ts";

afterEach(() => void vi.useRealTimers());

describeProxy("the rate limit", (open) => {
  it("answers 60 requests in a minute, refuses the 61st, and answers again when the minute is over", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { request } = await open({ perMinute: 60 });
    for (let left = 59; left >= 0; left--) {
      const response = await request("/api/v1/events");
      expect(response.status).toBe(200);
      expect(readLimits(response)).toEqual([
        "60",
        String(left),
        "60",
        '"default";q=60;w=60',
        `"default";r=${left};t=60`,
      ]);
    }
    vi.setSystemTime(Date.now() + 12_345);
    const refused = await request("/api/v1/events");
    await readError(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("48");
    expect(readLimits(refused)).toEqual(["60", "0", "48", '"default";q=60;w=60', '"default";r=0;t=48']);
    vi.setSystemTime(Date.now() + 48_000);
    expect((await request("/api/v1/events")).status).toBe(200);
  });

  it("counts every kind of request, and refuses every kind", async () => {
    const { request } = await open({ perMinute: 6 });
    const etag = (await request("/api/v1/events")).headers.get("etag")!;
    const statuses = [
      await request("/api/v1/events", { headers: { "if-none-match": etag } }),
      await request("/api/v1/events", { method: "HEAD" }),
      await request("/api/v1/events", { method: "OPTIONS" }),
      await request("/api/v1/events", { method: "POST" }),
      await request("/nowhere"),
    ].map((response) => [
      response.status,
      response.headers.get("x-ratelimit-remaining"),
      response.headers.get("ratelimit"),
    ]);
    expect(statuses).toEqual([
      [304, "4", '"default";r=4;t=60'],
      [200, "3", '"default";r=3;t=60'],
      [204, "2", '"default";r=2;t=60'],
      [405, "1", '"default";r=1;t=60'],
      [404, "0", '"default";r=0;t=60'],
    ]);
    for (const method of ["GET", "OPTIONS", "POST"]) {
      await readError(await request("/nowhere", { method }), 429, "rate_limited");
    }
    expect((await request("/api/v1/events", { method: "HEAD" })).status).toBe(429);
  });

  it("counts clients behind a trusted proxy apart, IPv6 by its network", async () => {
    const { request } = await open({ perMinute: 1, trustProxy: "1" });
    const from = (address: string) => request("/api/v1/events", { headers: { "x-forwarded-for": address } });
    expect((await from("203.0.113.1")).status).toBe(200);
    expect((await from("203.0.113.2")).status).toBe(200);
    expect((await from("203.0.113.1")).status).toBe(429);
    expect((await from("2001:db8:1:2::1")).status).toBe(200);
    expect((await from("2001:db8:1:2:ffff::9")).status).toBe(429);
    expect((await from("2001:db8:1:3::1")).status).toBe(200);
    expect((await from("::ffff:203.0.113.2")).status).toBe(429);
  });

  it("does not let a client choose its address", async () => {
    const { request } = await open({ perMinute: 1 });
    const from = (address: string) => request("/api/v1/events", { headers: { "x-forwarded-for": address } });
    expect((await from("203.0.113.1")).status).toBe(200);
    expect((await from("203.0.113.2")).status).toBe(429);
  });

  it("takes the entry of the last proxy where X-Forwarded-For was sent twice", async () => {
    const { request } = await open({ perMinute: 1, trustProxy: "1" });
    const from = (...addresses: string[]) => {
      const headers = addresses.map((address): [string, string] => ["x-forwarded-for", address]);
      return request("/api/v1/events", { headers });
    };
    expect((await from("203.0.113.66", "203.0.113.1")).status).toBe(200);
    expect((await from("203.0.113.77", "203.0.113.1")).status).toBe(429);
  });

  it("does not count whether the proxy lives", async () => {
    const { request } = await open({ perMinute: 1 });
    for (const path of ["/healthz", "/readyz", "/healthz"]) {
      const response = await request(path);
      expect([response.status, response.headers.get("x-ratelimit-remaining")]).toEqual([200, null]);
    }
    expect((await request("/api/v1/events")).status).toBe(200);
  });

  it("may be read by a page", async () => {
    const { request } = await open();
    const exposed = (await request("/api/v1/events")).headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["RateLimit", "RateLimit-Policy", "X-RateLimit-Limit", "Retry-After"]),
    );
  });
});

function readLimits({ headers }: Response): (string | null)[] {
  const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "ratelimit-policy", "ratelimit"];
  return names.map((name) => headers.get(name));
}
