import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { HOSTILE_PATHS } from "../../proxy/fuzz/hostile.ts";
import { makeRequests } from "../../proxy/fuzz/requests.ts";
import { openTwoWays, type Origin, type TwoWays } from "./_cdn.ts";
import { EDGE_CASES } from "./cases.ts";

let ways: TwoWays;
beforeAll(async () => {
  ways = await openTwoWays();
});

/** Those that CloudFront takes, but none that a proxy would be asked by itself. */
const METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"];
/** Whoever runs the proxy asks it these, and not by way of a CDN. */
const FOR_OPERATORS = ["/healthz", "/readyz"];

const isAsked = (target: string) =>
  target.startsWith("/") && !target.includes("#") && !FOR_OPERATORS.includes(target.replace(/\?.*/, ""));

async function expectSame(method: string, target: string, origin: Origin): Promise<number> {
  const [cdn, proxy] = await Promise.all([ways.askCdn(method, target, origin), ways.askProxy(method, target)]);
  expect(cdn, `${method} ${target}, from the ${origin}`).toEqual(proxy);
  return cdn.status;
}

describe.each(["bucket", "proxy"] as const)("behind a CDN whose origin is the %s", (origin) => {
  it("every request of the table has the answer that the proxy alone gives", async () => {
    for (const { method, target } of EDGE_CASES) await expectSame(method, target, origin);
  });

  it.each(HOSTILE_PATHS.filter(isAsked))("the path %s has the answer that the proxy alone gives", async (target) => {
    await expectSame("GET", target, origin);
    await expectSame("POST", target, origin);
  });

  it("made-up requests have the answers that the proxy alone gives", async () => {
    const statuses = new Map<number, number>();
    const requests = makeRequests().filter(({ method, target }) => METHODS.includes(method) && isAsked(target));
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, target }) => {
        const status = await expectSame(method, target, origin);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }),
      { numRuns: 1_000 },
    );
    // Else the requests are not what they are meant to be.
    for (const status of [200, 204, 400, 404, 405]) expect(statuses.get(status), String(status)).toBeGreaterThan(0);
  });
});

describe("what whoever runs the proxy asks it", () => {
  it.each(FOR_OPERATORS)("is not answered by way of a CDN: %s", async (path) => {
    expect((await ways.askCdn("GET", path, "proxy")).status).toBe(404);
    expect((await ways.askProxy("GET", path)).status).toBe(200);
  });
});
