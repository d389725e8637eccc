import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../../generator/contract/endpoints.ts";
import { createRequestCounts, LATENCY_BOUNDS_SECONDS } from "../../../proxy/operations/request-counts.ts";
import { toRouteName, UNKNOWN_ROUTE } from "../../../proxy/operations/route-names.ts";

describe("the name of a route", () => {
  it.each(Object.values(ENDPOINTS).map(({ path }) => path))("of %s is the template, whatever stands in it", (path) => {
    const target = path.replaceAll(/\{\w+\}/g, "%00<script>");
    expect(toRouteName(target)).toBe(path);
    expect(toRouteName(`${target}?network=testnet&q=${path}`)).toBe(path);
  });

  it.each([
    "/",
    "",
    "*",
    "/api/v1/validators/",
    "/api/v1/Validators",
    "/api/v1/validators/a/b",
    "//healthz",
    "/__proto__",
  ])("of %j is the same as of all that is not there", (target) => expect(toRouteName(target)).toBe(UNKNOWN_ROUTE));

  it("takes no longer with a target of a megabyte", () => {
    const target = `/api/v1/validators/${"a/".repeat(500_000)}`;
    const startedAt = performance.now();
    expect(toRouteName(target)).toBe(UNKNOWN_ROUTE);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe("counted requests", () => {
  it("are told apart by route, method and status, and a stranger cannot make up methods", () => {
    const { count, routes } = createRequestCounts();
    for (const method of ["GET", "GET", "BREW", "PROPFIND"]) count({ route: "/a", method, status: 200, seconds: 0 });
    count({ route: "/a", method: "GET", status: 429, seconds: 0 });
    expect(routes.get("/a")?.statuses).toEqual(
      new Map([
        [
          "GET",
          new Map([
            [200, 2],
            [429, 1],
          ]),
        ],
        ["other", new Map([[200, 2]])],
      ]),
    );
  });

  it("lie in the bucket of the lowest bound that is not below them", () => {
    const { count, routes } = createRequestCounts();
    for (const seconds of [0, 0.0001, 0.00011, 5, 5.1]) count({ route: "/a", method: "GET", status: 200, seconds });
    const { counts, sumSeconds } = routes.get("/a")!.latencies;
    const last = LATENCY_BOUNDS_SECONDS.length;
    expect([counts[0], counts[1], counts[last - 1], counts[last]]).toEqual([2, 1, 1, 1]);
    expect(sumSeconds).toBeCloseTo(10.10021);
  });
});
