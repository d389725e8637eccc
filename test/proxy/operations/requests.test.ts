import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ENDPOINTS } from "../../../generator/contract/endpoints.ts";
import { createRequestCounts, LATENCY_BOUNDS_SECONDS } from "../../../proxy/operations/request-counts.ts";
import { observeRequests, type ObservedRequest } from "../../../proxy/operations/requests.ts";
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

describe("requests that wait for the answers before them", () => {
  const closers: (() => void)[] = [];
  afterEach(() => {
    for (const close of closers.splice(0)) close();
  });

  it.each([
    ["nothing", ""],
    ["CONNECT, with which Node lets go of the connection", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n"],
  ])("are gone with their connection, each once, also with %s behind them", async (_, end) => {
    let come = 0;
    const server = createServer(() => void (come += 1));
    closers.push(() => void server.close());
    const answered: ObservedRequest[] = [];
    observeRequests(server, { steadyNow: () => 0, onAnswered: (request) => void answered.push(request) });
    server.on("connect", (_, socket) => void socket.on("error", () => socket.destroy()));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
    client.write(`${"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3)}${end}`);
    await expect.poll(() => come).toBe(3);
    client.resetAndDestroy();
    await expect.poll(() => answered.length).toBe(3);
    expect(answered.map(({ route, status }) => [route, status])).toEqual(Array(3).fill(["/healthz", 0]));
  });
});
