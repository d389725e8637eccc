import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Gate } from "../../../proxy/http/gate.ts";
import { parseTrustedProxies } from "../../../proxy/limits/trusted-proxies.ts";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet } from "../fixtures.ts";
import { exchange, type RawAnswer } from "./_raw.ts";
import { expectRefusal } from "./_refusal.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Options {
  perMinute?: number;
  trustProxy?: string;
  /** What stands between the proxy and its limiter. */
  wrapGate?: (gate: Gate) => Gate;
}

async function open({ perMinute = 100, trustProxy = "none", wrapGate = (gate) => gate }: Options = {}) {
  const world = await createWorld(makeMainnet(), { perMinute, trusted: parseTrustedProxies(trustProxy)! });
  const refused: number[] = [];
  const onRefused = (status: number) => void refused.push(status);
  const server = await listen({ ...world, gate: wrapGate(world.gate), onRefused });
  closers.push(() => server.close(true));
  return { refused, send: async (bytes: string) => (await exchange(server.url!, bytes)).answers };
}

const request = (...lines: string[]) => ["GET /api/v1/events HTTP/1.1", ...lines, "", ""].join("\r\n");
const GOOD = request("Host: a");
const LAST = request("Host: a", "Connection: close");
/** Its head can be read. */
const TWO_HOSTS = request("Host: a", "Host: b");
const NONSENSE = "NONSENSE\r\n\r\n";

const toRemaining = (answer: RawAnswer | undefined) => Number(answer?.headers["x-ratelimit-remaining"]);
const toStatuses = (answers: RawAnswer[]) => answers.map(({ status }) => status);

/** Answers later than everything else that is waiting by now, as a limiter that is asked over a network does. */
const later = (gate: Gate): Gate => {
  return async (origin) => {
    for (let turns = 0; turns < 10; turns++) await setImmediate();
    return gate(origin);
  };
};

describe.each([
  ["at once", (gate: Gate) => gate],
  ["later", later],
])("a refusal below the app, with a limiter that answers %s", (_, wrapGate) => {
  it("counts as a request, whatever it is for, and tells what is left", async () => {
    const { send, refused } = await open({ perMinute: 7, wrapGate });
    const kinds = [
      [NONSENSE, 400, "bad_request"],
      [TWO_HOSTS, 400, "bad_request"],
      [request("Host: a", `X: ${"a".repeat(20_000)}`), 431, "headers_too_large"],
      [GOOD.replace("events", "a".repeat(8_500)), 414, "uri_too_long"],
      [GOOD.replace("events", "a".repeat(20_000)), 414, "uri_too_long"],
      ["CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405, "method_not_allowed"],
    ] as const;
    for (const [index, [bytes, status, code]] of kinds.entries()) {
      const answers = await send(bytes);
      expect(answers).toHaveLength(1);
      expectRefusal(answers[0], status, code);
      expect(toRemaining(answers[0])).toBe(6 - index);
    }
    expect(refused).toEqual(kinds.map(([, status]) => status));
    expect(toRemaining((await send(LAST))[0])).toBe(0);
    expect(toStatuses(await send(LAST))).toEqual([429]);
  });

  it("over the limit is 429 where the request could be read, else what it was, with nothing left", async () => {
    const { send, refused } = await open({ perMinute: 1, wrapGate });
    await send(LAST);
    const [twoHosts] = await send(TWO_HOSTS);
    expectRefusal(twoHosts, 429, "rate_limited");
    expect(twoHosts!.headers["retry-after"]).toBe("60");
    const [nonsense] = await send(NONSENSE);
    expectRefusal(nonsense, 400, "bad_request");
    expect(toRemaining(nonsense)).toBe(0);
    expect(refused).toEqual([429, 400]);
  });

  it.each([
    ["a request that could be read", TWO_HOSTS],
    ["bytes that are no request", NONSENSE],
  ])("comes after the answers before it and before none, if it is of %s", async (_title, bytes) => {
    const { send } = await open({ perMinute: 9, wrapGate });
    const answers = await send(GOOD + GOOD + bytes + GOOD + NONSENSE);
    expect(toStatuses(answers)).toEqual([200, 200, 400]);
    expectRefusal(answers[2], 400, "bad_request");
    // What came after it was neither answered nor counted.
    expect(toRemaining((await send(LAST))[0])).toBe(9 - 3 - 1);
  });

  it("is not sent, nor counted, where the broken body of a request comes after its answer", async () => {
    const { send, refused } = await open({ perMinute: 9, wrapGate });
    const post = GOOD.replace("GET", "POST").replace("Host: a", "Host: a\r\nTransfer-Encoding: chunked");
    expect(toStatuses(await send(`${post}zz\r\n`))).toEqual([405]);
    expect(refused).toEqual([]);
    expect(toRemaining((await send(LAST))[0])).toBe(7);
  });

  it("is not sent, nor counted, for what follows the last answer of a connection", async () => {
    const { send, refused } = await open({ perMinute: 9, wrapGate });
    expect(toStatuses(await send(LAST + NONSENSE))).toEqual([200]);
    expect(refused).toEqual([]);
    expect(toRemaining((await send(LAST))[0])).toBe(7);
  });

  it("counts as the client's that a trusted proxy tells of, and takes nothing from others if the proxy cannot tell", async () => {
    const { send } = await open({ perMinute: 2, trustProxy: "1", wrapGate });
    const from = (client: string, bytes: string) =>
      send(bytes.replace("Host: a", `Host: a\r\nX-Forwarded-For: ${client}`));
    expect(toRemaining((await from("203.0.113.1", TWO_HOSTS))[0])).toBe(1);
    expect(toRemaining((await from("203.0.113.1", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"))[0])).toBe(0);
    expect(toStatuses(await from("203.0.113.1", LAST))).toEqual([429]);
    for (const left of [1, 0, 0, 0]) {
      const [nonsense] = await send(NONSENSE);
      expectRefusal(nonsense, 400, "bad_request");
      expect(toRemaining(nonsense)).toBe(left);
    }
    expect(toRemaining((await from("203.0.113.2", LAST))[0])).toBe(1);
  });
});

it("Without a limiter's answer a refused connection is closed, and the next one served", async () => {
  let isBroken = true;
  const wrapGate = (gate: Gate): Gate => {
    return (origin) => (isBroken ? Promise.reject(new Error("the limiter is broken")) : gate(origin));
  };
  const { send, refused } = await open({ wrapGate });
  for (const bytes of [NONSENSE, TWO_HOSTS, "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"])
    expect(await send(bytes)).toEqual([]);
  expect(refused).toEqual([]);
  isBroken = false;
  expect(toStatuses(await send(NONSENSE))).toEqual([400]);
});
