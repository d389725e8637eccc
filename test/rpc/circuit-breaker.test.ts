import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withReaders } from "../../generator/rpc/retry.ts";
import { readText } from "../../generator/rpc/http.ts";
import { parseAnswer } from "../../generator/rpc/answer.ts";
import { createRpc } from "../../generator/rpc/rpc.ts";
import type { RpcError } from "../../generator/rpc/error.ts";
import type { RpcReader } from "../../generator/rpc/reader.ts";
import { failure, ok, open, start, toError } from "../observe/calling.ts";
import { createClock } from "../observe/fixtures.ts";

async function openAfter(answer: (response: ServerResponse) => unknown) {
  const server = await start(answer, (response) => ok(response));
  return { server, ...open(server.url) };
}

describe("an endpoint that wants to be left alone", () => {
  const DATE = "Fri, 20 Nov 2026 12:00:00 GMT";
  const asking = (retryAfter: string, { status = 429, body = "<b>no</b>" } = {}) => {
    return (response: ServerResponse) =>
      void response.writeHead(status, { "retry-after": retryAfter, date: DATE }).end(body);
  };

  it.each<[string, (response: ServerResponse) => void, number]>([
    ["a 429 in seconds", asking("3"), 3_000],
    ["a 429 as a date", asking("Fri, 20 Nov 2026 12:00:05 GMT"), 5_000],
    ["a 503", asking("3", { status: 503 }), 3_000],
    ["a 429 inside a 200", asking("3", { status: 200, body: toError(429) }), 3_000],
    ["a 429 around another error", asking("3", { body: toError(-32_007) }), 3_000],
    ["a 429 without saying how long", (response) => void response.writeHead(429).end(), 250],
    ["a 429 for no time at all", asking("0"), 250],
  ])(
    "by %s is asked again after that time, and never sooner than after any failure",
    async (_, refuse, slept) => {
      const { server, call, clock } = await openAfter(refuse);
      await expect(call()).resolves.toBe(7);
      expect(clock.slept).toEqual([slept]);
      expect(server.asked).toHaveLength(2);
    },
  );

  it("for longer than the deadline allows is given up at once, as limited and not as down", async () => {
    const { server, call, clock } = await openAfter(asking("41"));
    const message = `${server.url}#0 getSlot: HTTP status 429`;
    expect(await failure(call())).toMatchObject({ kind: "limited", code: 429, message });
    expect(clock.slept).toEqual([]);
  });

  it("is left alone for that long, by calls of every method", async () => {
    const { server, call, clock } = await openAfter(asking("600"));
    await failure(call());
    clock.advance(500_000);
    await expect(failure(call("getHealth"))).resolves.toMatchObject({
      kind: "resting",
      message: `${server.url}#0 getHealth: not asked: the endpoint wants a pause of another 100 s`,
    });
    expect(server.asked).toHaveLength(1);
    clock.advance(70_000);
    await expect(call("getHealth")).resolves.toBe(7);
    expect(clock.slept).toEqual([30_000]);
  });

  it("for longer than ten minutes is asked again after ten minutes", async () => {
    const { call, clock } = await openAfter(asking("999999999"));
    await failure(call());
    clock.advance(550_000);
    expect((await failure(call())).kind).toBe("resting");
    clock.advance(50_000);
    await expect(call()).resolves.toBe(7);
  });

  it.each(["getGenesisHash", "getEpochInfo", "getVoteAccounts"])(
    "is asked for %s, without which nothing is seen, at the next check",
    async (method) => {
      const { server, call, clock } = await openAfter(asking("3600"));
      await failure(call());
      expect((await failure(call(method))).kind).toBe("resting");
      expect(server.asked).toHaveLength(1);
      clock.advance(50_000);
      await expect(call(method)).resolves.toBe(7);
      expect((await failure(call())).kind).toBe("resting");
      expect(clock.slept).toEqual([]);
    },
  );

  it.each([200, 500, 502, 403, 404, 408, 425])(
    "is not heard in an answer with status %d",
    async (status) => {
      const { server, call } = await openAfter(asking("3600", { status, body: toError(-32_603) }));
      await expect(call("getSlot").catch(() => call("getHealth"))).resolves.toBe(7);
      expect(server.asked).toHaveLength(2);
    },
  );

  it("does not speak for the other endpoints", async () => {
    const first = await start(asking("600"));
    const second = await start((response) => ok(response));
    const clock = createClock();
    const rpc = createRpc({
      endpoints: [first.url, second.url],
      now: clock.now,
      sleep: clock.sleep,
    });
    const readers = rpc.endpoints.map((endpoint) => endpoint.until(clock.now() + 40_000));
    const ask = (reader: RpcReader) => reader.call({ method: "getSlot", schema: z.number() });
    await expect(withReaders(readers, ask)).resolves.toBe(7);
    await expect(withReaders(readers, ask)).resolves.toBe(7);
    expect([first.asked.length, second.asked.length]).toEqual([1, 2]);
    expect(clock.slept).toEqual([]);
    await rpc.close();
  });
});

describe("what an endpoint refuses", () => {
  const QUARTER_OF_AN_HOUR = 15 * 60_000;
  const DAY = 24 * 3_600_000;
  const withError = (code: number) => (response: ServerResponse) => response.end(toError(code));
  const withStatus = (status: number, body?: string) => (response: ServerResponse) =>
    response.writeHead(status).end(body);

  it.each<[string, string, (response: ServerResponse) => unknown, RpcError["kind"], number]>([
    [
      "a genesis, without which nothing is seen",
      "getGenesisHash",
      withError(-32_601),
      "refused",
      QUARTER_OF_AN_HOUR,
    ],
    [
      "an epoch, without which nothing is seen",
      "getEpochInfo",
      withError(-32_601),
      "refused",
      QUARTER_OF_AN_HOUR,
    ],
    [
      "votes, without which nothing is seen",
      "getVoteAccounts",
      withError(-32_601),
      "refused",
      QUARTER_OF_AN_HOUR,
    ],
    ["a method by -32601", "getProgramAccounts", withError(-32_601), "refused", DAY],
    [
      "a method by a 501, as Firedancer does",
      "getProgramAccounts",
      withStatus(501),
      "refused",
      DAY,
    ],
    ["a method by a 404", "getProgramAccounts", withStatus(404, toError(-32_601)), "refused", DAY],
    ["us by a 403", "getSlot", withStatus(403), "forbidden", QUARTER_OF_AN_HOUR],
    ["us by a 403 inside a 200", "getSlot", withError(403), "forbidden", QUARTER_OF_AN_HOUR],
  ])(
    "is not asked again for its time when it refuses %s",
    async (_, method, refuse, kind, milliseconds) => {
      const { server, call, clock } = await openAfter(refuse);
      expect((await failure(call(method))).kind).toBe(kind);
      clock.advance(milliseconds - 1);
      const message = expect.stringContaining(`${kind} earlier and not asked again yet`) as string;
      expect(await failure(call(method))).toMatchObject({ kind, message });
      expect(server.asked).toHaveLength(1);
      clock.advance(1);
      await expect(call(method)).resolves.toBe(7);
      expect(clock.slept).toEqual([]);
    },
  );

  it("of one program does not concern another", async () => {
    const { call } = await openAfter(withError(-32_010));
    await failure(call("getProgramAccounts", ["Stake"]));
    await expect(call("getProgramAccounts", ["Config"])).resolves.toBe(7);
  });
});

describe("a scan", () => {
  async function openScan(answer: (response: ServerResponse) => unknown) {
    const { server, clock, rpc } = await openAfter(answer);
    const consume = async (body: AsyncIterable<Uint8Array>) =>
      parseAnswer(await readText(body), z.number());
    const scan = (circuit?: string) => {
      const question = {
        method: "getProgramAccounts",
        params: ["Stake"],
        ...(circuit !== undefined && { circuit }),
        consume,
      };
      return rpc.endpoints[0]!.until(clock.now() + 90_000).stream(question);
    };
    return { server, scan };
  }

  it.each<[string, (response: ServerResponse) => unknown, "http" | "body" | "refused" | null]>([
    ["given up after a gateway's 502", (response) => response.writeHead(502).end(), "http"],
    ["given up after a gateway's 504", (response) => response.writeHead(504).end(), "http"],
    ["given up after a gateway's 524", (response) => response.writeHead(524).end(), "http"],
    ["given up after an answer that breaks off", (r) => r.write("{", () => r.destroy()), "body"],
    [
      "given up after an answer too large for it",
      (response) => response.writeHead(413).end(),
      "refused",
    ],
    [
      "begun again after a 503, which costs no time",
      (response) => response.writeHead(503).end(),
      null,
    ],
    [
      "begun again after a connection that was closed meanwhile",
      (response) => response.destroy(),
      null,
    ],
    [
      "begun again after a 429",
      (response) => response.writeHead(429, { "retry-after": "1" }).end(),
      null,
    ],
  ])("is %s", async (_, answer, kind) => {
    const { server, scan } = await openScan(answer);
    if (kind === null) await expect(scan()).resolves.toBe(7);
    else await expect(failure(scan())).resolves.toMatchObject({ kind });
    expect(server.asked).toHaveLength(kind === null ? 2 : 1);
  });

  it("that is refused on one circuit may be allowed on another", async () => {
    const { server, scan } = await openScan((response) => response.end(toError(-32_010)));
    expect((await failure(scan())).kind).toBe("refused");
    await expect(scan("in parts")).resolves.toBe(7);
    expect((await failure(scan())).message).toContain("refused earlier");
    expect(server.asked).toHaveLength(2);
  });
});
