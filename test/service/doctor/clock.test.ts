import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { judgeChainClock, judgeClock } from "../../../generator/service/doctor/clock.ts";
import { createDispatcher } from "../../../generator/rpc/http.ts";
import { parseEndpointUrl } from "../../../generator/rpc/endpoint-address.ts";
import { contactServer, type ServerContact } from "../../../generator/rpc/clock.ts";
import type { UsableExamination } from "../../../generator/service/doctor/endpoints.ts";
import { startServer } from "../../rpc/rpc-server.ts";

const NOW = Date.UTC(2026, 10, 20, 12);

/** Contacts a server by a clock that stands at {@link NOW}. */
async function contact(answer: (response: ServerResponse) => void, body: string | null = null, readings = [0, 0]) {
  const server = await startServer((_, response) => answer(response));
  const dispatcher = createDispatcher();
  try {
    const url = parseEndpointUrl(`${server.url}/hunter2`, "the server");
    const timer = () => readings.shift()!;
    return await contactServer({ url, body, dispatcher, now: () => NOW, timer, timeoutMilliseconds: 200 });
  } finally {
    await dispatcher.destroy();
    await server.close();
  }
}

const dated = (milliseconds: number, age = "0") => ({ date: new Date(milliseconds).toUTCString(), age });

describe("contact with a server", () => {
  it.each([
    ["its Date, which stands half a second further on average", dated(NOW - 20_000), 0, 19_500],
    ["a Date of the middle of the way there and back", dated(NOW), 400, -700],
    ["a Date with the age of an answer from a cache", dated(NOW - 300_000, "300"), 0, -500],
    ["a Date with an age that is none", dated(NOW, "soon"), 0, -500],
    ["no Date", {}, 0, null],
    ["a Date that is none", { date: "yesterday" }, 0, null],
  ])("tells how far our clock is ahead by %s", async (_, headers, roundTripMilliseconds, clockAheadMilliseconds) => {
    const found = await contact((response) => response.writeHead(200, headers).end(), null, [
      1_000,
      1_000 + roundTripMilliseconds,
    ]);
    expect(found).toEqual({ status: 200, roundTripMilliseconds, clockAheadMilliseconds });
  });

  it.each([
    ["never answers", () => undefined],
    ["begins an answer and never ends it", (response: ServerResponse) => void response.writeHead(200).write("{")],
  ])("ends where the server %s", async (_, answer) => {
    expect(await contact(answer, "{}")).toEqual({ failed: "TimeoutError" });
  });
});

describe("this machine's clock", () => {
  const judge = (...clocks: (number | null)[]) =>
    judgeClock(
      clocks.map((clockAheadMilliseconds): ServerContact => ({
        status: 200,
        roundTripMilliseconds: 1,
        clockAheadMilliseconds,
      })),
    );

  it.each([
    [[300], "ok", "agrees with 1 server to the second"],
    [[5_000], "ok", "5.0 s ahead of 1 server"],
    [[5_001], "warning", "5.0 s ahead of 1 server"],
    [[-60_000], "warning", "60.0 s behind 1 server"],
    [[-60_001], "problem", "60.0 s behind 1 server"],
    [[3_600_000], "problem", "60 min ahead of 1 server"],
    [[100, -900_000, 200], "ok", "agrees with 3 servers to the second"],
    [[100, null, 90_000, 90_000], "problem", "90.0 s ahead of 3 servers"],
    [[null], "warning", "no server told its time"],
    [[], "warning", "no server told its time"],
  ])("%j ms ahead of the servers is %s, by most of them", (clocks, level, found) => {
    expect(judge(...clocks)).toMatchObject({ level, found });
  });
});

describe("the chain's clock", () => {
  const judge = (blockTime: object) =>
    judgeChainClock("mainnet", [{ label: "x#0", answers: { blockTime }, epoch: {} } as unknown as UsableExamination]);

  it.each([
    [13_000, "ok", "13.0 s behind"],
    [35_000, "ok", "35.0 s behind"],
    [36_000, "warning", "36.0 s behind"],
    [91_000, "problem", "91.0 s behind"],
    [-4_000, "ok", "4.0 s ahead of"],
    [-6_000, "warning", "6.0 s ahead of"],
    [-61_000, "problem", "61.0 s ahead of"],
  ])("%s ms behind ours is %s: finality takes half a minute at most", (age, level, found) => {
    const finding = judge({ value: { blockAt: NOW - age, readAt: NOW }, milliseconds: 1 });
    expect(finding).toMatchObject({ level, found: expect.stringContaining(found) as string });
  });

  it("is left alone where no endpoint tells it", () => {
    expect(judge({ failed: "x#0 getBlockTime: no", milliseconds: 1 })).toMatchObject({ level: "ok" });
  });
});
