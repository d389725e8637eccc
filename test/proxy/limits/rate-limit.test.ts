import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMemoryLimiter } from "../../../proxy/limits/limiter.ts";
import { describeProxy, readError } from "../_setup.ts";

// The counter reads the machine's clock; sockets and timers stay real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

describe("the limiter in memory", () => {
  it("counts down, refuses the one too many, and begins anew when the window ends", async () => {
    const limiter = createMemoryLimiter({ perMinute: 2 });
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    vi.setSystemTime(Date.now() + 30_500);
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(await limiter.take("one")).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 30 });
    expect(await limiter.take("other")).toMatchObject({ allowed: true, remaining: 1 });
    vi.setSystemTime(Date.now() + 29_499);
    expect(await limiter.take("one")).toMatchObject({ allowed: false, resetSeconds: 1 });
    vi.setSystemTime(Date.now() + 1);
    expect(await limiter.take("one")).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });
});

describeProxy("the rate limit", (open) => {
  it("answers 60 requests in a minute, refuses the 61st, and answers again when the minute is over", async () => {
    const { request } = await open({ perMinute: 60 });
    for (let left = 59; left >= 0; left--) {
      const response = await request("/api/v1/events");
      expect(response.status).toBe(200);
      expect(response.headers.get("x-ratelimit-remaining")).toBe(String(left));
    }
    vi.setSystemTime(Date.now() + 12_345);
    const refused = await request("/api/v1/events");
    await readError(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("48");
    expect(refused.headers.get("x-ratelimit-limit")).toBe("60");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(refused.headers.get("x-ratelimit-reset")).toBe("48");
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
    ].map((response) => [response.status, response.headers.get("x-ratelimit-remaining")]);
    expect(statuses).toEqual([
      [304, "4"],
      [200, "3"],
      [204, "2"],
      [405, "1"],
      [404, "0"],
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
});
