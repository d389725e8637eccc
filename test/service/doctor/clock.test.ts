import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { judgeChainClock, judgeClock } from "../../../generator/service/doctor/clock.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { parseEndpointUrl } from "../../../generator/rpc/endpoint-address.ts";
import { contactServer, type ServerContact } from "../../../generator/rpc/clock.ts";
import type { UsableExamination } from "../../../generator/service/doctor/endpoints.ts";
import { startServer } from "../../rpc/rpc-server.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

/** Contacts a server that answers like this, by a clock that reads {@link NOW} throughout. */
async function contact(
  answer: (response: ServerResponse) => void,
  {
    body = null,
    timeoutMilliseconds = 5_000,
    timer = () => 0,
  }: { body?: string | null; timeoutMilliseconds?: number; timer?: () => number } = {},
) {
  const server = await startServer((_, response) => answer(response));
  const dispatcher = createDispatcher();
  try {
    const url = parseEndpointUrl(`${server.url}/hunter2`, "the server");
    const clocks = { now: () => NOW, timer };
    return await contactServer({ url, body, dispatcher, ...clocks, timeoutMilliseconds });
  } finally {
    await dispatcher.destroy();
    await server.close();
  }
}

const dated = (milliseconds: number, age?: string) => (response: ServerResponse) => {
  response.setHeader("date", new Date(milliseconds).toUTCString());
  if (age !== undefined) response.setHeader("age", age);
  response.end();
};

describe("contact with a server", () => {
  it("tells how far our clock is ahead of its Date, which stands half a second further on average", async () => {
    expect(await contact(dated(NOW - 20_000))).toEqual({
      status: 200,
      roundTripMilliseconds: 0,
      clockAheadMilliseconds: 19_500,
    });
  });

  it("takes the Date for that of the middle of the way there and back", async () => {
    const readings = [1_000, 1_400];
    const found = await contact(dated(NOW), { timer: () => readings.shift()! });
    expect(found).toMatchObject({ roundTripMilliseconds: 400, clockAheadMilliseconds: -700 });
  });

  it("adds the age of an answer that comes from a cache", async () => {
    expect(await contact(dated(NOW - 300_000, "300"))).toMatchObject({ clockAheadMilliseconds: -500 });
    expect(await contact(dated(NOW, "soon"))).toMatchObject({ clockAheadMilliseconds: -500 });
  });

  it.each([
    ["no Date", (response: ServerResponse) => (response.sendDate = false)],
    ["a Date that is none", (response: ServerResponse) => response.setHeader("date", "yesterday")],
  ])("tells nothing of the clock with %s", async (_, prepare) => {
    const found = await contact((response) => {
      prepare(response);
      response.end();
    });
    expect(found).toMatchObject({ status: 200, clockAheadMilliseconds: null });
  });

  it("ends where the server never answers", async () => {
    expect(await contact(() => undefined, { timeoutMilliseconds: 20 })).toEqual({ failed: "TimeoutError" });
  });

  it("ends where the answer begins and never ends", async () => {
    const begin = (response: ServerResponse) => void response.writeHead(200).write("{");
    expect(await contact(begin, { body: "{}", timeoutMilliseconds: 50 })).toEqual({ failed: "TimeoutError" });
  });
});

function ahead(...clocks: (number | null)[]): ServerContact[] {
  return clocks.map((clockAheadMilliseconds) => ({ status: 200, roundTripMilliseconds: 1, clockAheadMilliseconds }));
}

describe("this machine's clock", () => {
  it.each([
    [300, "ok", "agrees with 1 server to the second"],
    [5_000, "ok", "5.0 s ahead of 1 server"],
    [5_001, "warning", "5.0 s ahead of 1 server"],
    [-60_000, "warning", "60.0 s behind 1 server"],
    [-60_001, "problem", "60.0 s behind 1 server"],
    [3_600_000, "problem", "60 min ahead of 1 server"],
  ])("%s ms ahead is %s", (milliseconds, level, found) => {
    expect(judgeClock(ahead(milliseconds))).toMatchObject({ level, found });
  });

  it("is judged by most servers, not by the one that is wrong", () => {
    expect(judgeClock(ahead(100, -900_000, 200))).toMatchObject({ level: "ok" });
    expect(judgeClock(ahead(100, null, 90_000, 90_000))).toMatchObject({ level: "problem" });
  });

  it("is not known where no server tells the time", () => {
    expect(judgeClock(ahead(null))).toMatchObject({ level: "warning", found: "no server told its time" });
    expect(judgeClock([])).toMatchObject({ level: "warning" });
  });
});

function blockOf(ageMilliseconds: number): UsableExamination[] {
  const blockTime = { value: { blockAt: NOW - ageMilliseconds, readAt: NOW }, milliseconds: 1 };
  return [{ label: "x#0", answers: { blockTime }, epoch: {} } as unknown as UsableExamination];
}

describe("the chain's clock", () => {
  it.each([
    [13_000, "ok", "13.0 s behind"],
    [35_000, "ok", "35.0 s behind"],
    [36_000, "warning", "36.0 s behind"],
    [91_000, "problem", "91.0 s behind"],
    [-4_000, "ok", "4.0 s ahead of"],
    [-6_000, "warning", "6.0 s ahead of"],
    [-61_000, "problem", "61.0 s ahead of"],
  ])("%s ms behind ours is %s: finality takes half a minute at most", (age, level, found) => {
    expect(judgeChainClock("mainnet", blockOf(age))).toMatchObject({
      level,
      found: expect.stringContaining(found) as string,
    });
  });

  it("is left alone where no endpoint tells it", () => {
    const blockTime = { failed: "x#0 getBlockTime: no", milliseconds: 1 };
    const mute = [{ label: "x#0", answers: { blockTime }, epoch: {} } as unknown as UsableExamination];
    expect(judgeChainClock("mainnet", mute)).toMatchObject({ level: "ok" });
  });
});
