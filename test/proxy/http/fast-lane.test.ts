import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { toAnswer } from "../../../proxy/answers/answer.ts";
import { createVariants } from "../../../proxy/answers/compress.ts";
import { createFastLane, type FastLane } from "../../../proxy/http/fast-lane.ts";
import { createNegotiation } from "../../../proxy/http/negotiation.ts";
import { createGate } from "../../../proxy/http/gate.ts";
import type { Limiter } from "../../../proxy/limits/limiter.ts";
import { createMemoryLimiter } from "../../../proxy/limits/memory-limiter.ts";
import { createWorld, listen } from "../_setup.ts";
import { makeMainnet, toPubkey } from "../fixtures.ts";
import { exchange, toAnswers, type RawAnswer } from "./_raw.ts";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** A lane that nobody takes. */
const NO_LANE: FastLane = { remember: () => undefined, join: () => undefined };

describe("both ways", () => {
  const LIST = "/api/v1/validators";
  const PROFILE = `${LIST}/${toPubkey(1)}`;

  it.each([
    ["GET", LIST, ""],
    ["HEAD", LIST, ""],
    ["GET", PROFILE, ""],
    ["GET", LIST, "If-None-Match: *"],
    ["GET", LIST, "Accept-Encoding: identity"],
    ["GET", LIST, 'If-Match: "another"'],
    ["GET", "/api/v1/openapi.json", ""],
  ])("answer %s %s with %j alike, and say the same of the limit up to its end", async (method, path, header) => {
    const [fast, slow] = await Promise.all([askFourTimes(true), askFourTimes(false)]);
    expect(fast).toEqual(slow);
    expect(fast.map(({ headers }) => headers["x-ratelimit-remaining"])).toEqual(["2", "1", "0", "0"]);
    expect(fast.at(-1)?.status).toBe(429);

    async function askFourTimes(isFast: boolean) {
      const world = await createWorld(makeMainnet(), { perMinute: 3, trusted: { by: "nothing" } });
      const server = await listen(isFast ? world : { ...world, fastLane: NO_LANE });
      closers.push(() => server.close(true));
      const lines = [
        `${method} ${path} HTTP/1.1`,
        "Host: a",
        "Connection: close",
        ...(header === "" ? [] : [header]),
        "",
        "",
      ];
      const answers: RawAnswer[] = [];
      for (let times = 0; times < 4; times += 1) {
        const { answers: whole, rest } = await exchange(server.url!, lines.join("\r\n"));
        // An answer to HEAD tells a length, and nothing follows.
        const [answer] = method === "HEAD" ? toAnswers(rest.replace("content-length", "length")).answers : whole;
        answers.push({ ...answer!, headers: { ...answer!.headers, date: "" } });
      }
      return answers;
    }
  });
});

const ANSWER = toAnswer("{}", "snapshot");

/** A server whose app counts what comes to it, behind a lane that remembers one answer until 1,000. */
async function open(limiter?: Limiter) {
  const world = { now: 100, toApp: 0 };
  const now = () => world.now;
  const gate = createGate({
    limiter: limiter ?? createMemoryLimiter({ perMinute: 100, now }),
    trustedProxies: { by: "nothing" },
  });
  const lane = createFastLane({ gate, now });
  const server = createServer((_, response) => {
    world.toApp += 1;
    response.end("of the app");
  });
  lane.join(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => close(server));
  const negotiation = createNegotiation(createVariants({ log: () => undefined }));
  const remember = (target: string, freshUntil: number) =>
    lane.remember(target, { value: ANSWER, stale: false, ageSeconds: 0, freshUntil }, negotiation);
  remember("/known?x=1", 1_000);
  const ask = async (path: string, init?: RequestInit) =>
    (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init)).text();
  return { world, remember, ask };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe("the fast lane", () => {
  it("answers what the app answered, without it, until the reading is due", async () => {
    const { world, ask } = await open();
    expect(await ask("/known?x=1")).toBe("{}");
    world.now = 999;
    expect(await ask("/known?x=1")).toBe("{}");
    expect(world.toApp).toBe(0);
    world.now = 1_000;
    expect(await ask("/known?x=1")).toBe("of the app");
    world.now = 999;
    expect(await ask("/known?x=1")).toBe("of the app");
  });

  it.each([
    ["another method", "/known?x=1", { method: "POST" }],
    ["a preflight", "/known?x=1", { method: "OPTIONS" }],
    ["If-Match", "/known?x=1", { headers: { "if-match": "*" } }],
    ["another query", "/known?x=2", {}],
    ["another case", "/Known?x=1", {}],
    ["another spelling", "/%6bnown?x=1", {}],
  ])("leaves %s to the app", async (_, path, init) => {
    const { ask } = await open();
    expect(await ask(path, init)).toBe("of the app");
  });

  it("does not remember what is not fresh, nor what a clock set back would keep", async () => {
    const { world, remember, ask } = await open();
    remember("/old", 100);
    expect(await ask("/old")).toBe("of the app");
    world.now = 50;
    expect(await ask("/known?x=1")).toBe("of the app");
  });

  it("counts what a stranger wrote into a target among the bytes it may remember", async () => {
    const { remember, ask } = await open();
    for (let number = 0; number < 3_000; number += 1) remember(`/long?${number}${"x".repeat(8_000)}`, 1_000);
    expect(await ask("/known?x=1")).toBe("of the app");
  });

  it("waits for a limiter that many processes share", async () => {
    const refused = { allowed: false, limit: 60, remaining: 0, resetSeconds: 7 };
    const refusing: Limiter = { take: () => Promise.resolve(refused) };
    const { world, ask } = await open(refusing);
    expect(JSON.parse(await ask("/known?x=1"))).toMatchObject({ error: { code: "rate_limited" } });
    expect(world.toApp).toBe(0);
  });
});
