import { expect, it } from "vitest";
import { describeProxy, readError } from "../_setup.ts";
import { toPubkey } from "../fixtures.ts";

const EVENTS = "/api/v1/events";

function readLimits({ headers }: Response): (string | null)[] {
  const names = [
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "ratelimit-policy",
    "ratelimit",
  ];
  return names.map((name) => headers.get(name));
}

const NO_LIMITS: null[] = Array.from({ length: 5 }, () => null);

const toLimits = (left: number, seconds: number) => [
  "60",
  String(left),
  String(seconds),
  '"default";q=60;w=60',
  `"default";r=${left};t=${seconds}`,
];

describeProxy("the rate limit", (open) => {
  it("answers 60 requests in a minute, refuses the 61st, and answers again when the minute is over", async () => {
    const { world, request } = await open({ perMinute: 60 });
    for (let left = 59; left >= 0; left--) {
      const response = await request(EVENTS);
      expect([response.status, ...readLimits(response)]).toEqual([200, ...toLimits(left, 60)]);
    }
    world.now += 12_345;
    const refused = await request(EVENTS);
    await readError(refused, 429, "rate_limited");
    expect([refused.headers.get("retry-after"), ...readLimits(refused)]).toEqual([
      "48",
      ...toLimits(0, 48),
    ]);
    world.now += 48_000;
    expect((await request(EVENTS)).status).toBe(200);
  });

  it("counts every kind of request to the API but preflights, and refuses every kind", async () => {
    const { request } = await open({ perMinute: 5 });
    const etag = (await request(EVENTS)).headers.get("etag")!;
    const requests: [number, string, RequestInit][] = [
      [304, EVENTS, { headers: { "if-none-match": etag } }],
      [200, EVENTS, { method: "HEAD" }],
      [405, EVENTS, { method: "POST" }],
      [404, "/api/v1/nowhere", {}],
    ];
    for (const [index, [status, path, init]] of requests.entries()) {
      const response = await request(path, init);
      expect([response.status, response.headers.get("ratelimit")]).toEqual([
        status,
        `"default";r=${3 - index};t=60`,
      ]);
    }
    for (const path of [EVENTS, "/api/v1/nowhere", "/feeds/mainnet/rug.atom", "/exports/x"])
      await readError(await request(path), 429, "rate_limited");
    expect((await request(EVENTS, { method: "HEAD" })).status).toBe(429);
    const preflight = await request(EVENTS, { method: "OPTIONS" });
    // What is the same for everybody.
    const policy = ["5", null, null, '"default";q=5;w=60', null];
    expect([preflight.status, ...readLimits(preflight)]).toEqual([204, ...policy]);
  });

  it.each([
    [200, "/healthz"],
    [200, "/readyz"],
    [200, `/validators/${toPubkey(1)}`],
    [404, "/nowhere"],
  ])("counts nothing else: %i %s", async (status, path) => {
    const { request } = await open({ perMinute: 1 });
    for (let time = 0; time < 3; time++) {
      const response = await request(path);
      expect([response.status, ...readLimits(response)]).toEqual([status, ...NO_LIMITS]);
    }
    expect((await request(EVENTS)).status).toBe(200);
  });

  it.each([
    ["1", ["203.0.113.1"], 200],
    ["1", ["203.0.113.2"], 429],
    ["1", ["2001:db8:1:2:ffff::9"], 429],
    // Sent twice: the entry of the last proxy counts.
    ["1", ["203.0.113.77", "203.0.113.2"], 429],
    ["none", ["203.0.113.1"], 429],
  ])(
    "counts clients apart as TRUST_PROXY=%s says: %j after others gets %i",
    async (trustProxy, addresses, status) => {
      const { request } = await open({ perMinute: 1, trustProxy });
      const ask = (forwardedFor: string[]) =>
        request(EVENTS, {
          headers: forwardedFor.map((address): [string, string] => ["x-forwarded-for", address]),
        });
      for (const address of ["203.0.113.2", "2001:db8:1:2::1"]) await ask([address]);
      expect((await ask(addresses)).status).toBe(status);
    },
  );
});
