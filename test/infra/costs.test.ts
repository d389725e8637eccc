import { request } from "undici";
import { describe, expect, it } from "vitest";
import { toMonthOfCalls, toRows } from "../bench/endpoint-month.ts";
import { watchTraffic } from "../bench/endpoint-traffic.ts";
import { billAws, billR2, toUsage, type Line } from "../bench/month.ts";
import { PRICES, toDollars } from "../bench/prices.ts";
import { startServer } from "../rpc/rpc-server.ts";

const day = {
  writes: 60_000,
  reads: 7_000,
  readBytes: 2e9,
  coldStartBytes: 1e7,
  looseBytes: 9e7,
  derivedBytes: 5e8,
  publicBytes: 7e8,
  stateBytes: 2e9,
  indexWrites: 300,
};
const usage = toUsage({
  networks: { mainnet: day, testnet: day, alpenglow: day },
  answerBytes: 5_000,
});

const dollarsOf = (lines: Line[], what: string) =>
  lines.filter((line) => line.what.startsWith(what)).reduce((sum, { dollars }) => sum + dollars, 0);

describe("what a month costs", () => {
  it("is nothing below what is free, and only the rest above it", () => {
    const { freeUnits, dollars, per } = PRICES.cloudFrontRequests;
    expect(toDollars("cloudFrontRequests", freeUnits)).toBe(0);
    expect(toDollars("cloudFrontRequests", freeUnits + per)).toBe(dollars);
  });

  it("is that of all three networks, and goes up with the writes", () => {
    expect(usage.writes).toBeCloseTo((3 * day.writes * 365) / 12);
    const twice = { ...usage, writes: usage.writes * 2 };
    const s3 = dollarsOf(billAws(usage), "S3: documents");
    expect(s3).toBeCloseTo((usage.writes / 1_000) * 0.005);
    expect(dollarsOf(billAws(twice), "S3: documents")).toBeCloseTo(2 * s3);
    expect(dollarsOf(billR2(twice), "R2: documents")).toBeGreaterThan(
      dollarsOf(billR2(usage), "R2: documents"),
    );
  });
});

describe("a month of calls of the endpoints", () => {
  const day = [
    { method: "getVoteAccounts", calls: 1_440, bytes: 6e8, packedBytes: 2e8 },
    { method: "getProgramAccounts Stake1…", calls: 24, bytes: 4.8e8, packedBytes: 0.6e8 },
    { method: "getProgramAccounts Config…", calls: 144, bytes: 1e8, packedBytes: 1e7 },
  ];

  it("is that of the day, but the scan of stake accounts as large as the cluster planned for, and the largest first", () => {
    const months = toMonthOfCalls(day, 20);
    expect(months.map(({ method }) => method)).toEqual([
      day[1]?.method,
      day[0]?.method,
      day[2]?.method,
    ]);
    expect(months[0]?.gigabytes).toBeCloseTo((0.48 * 20 * 365) / 12);
    expect(months[0]?.calls).toBeCloseTo((24 * 365) / 12);
    expect(months[2]?.packedGigabytes).toBeCloseTo((0.01 * 365) / 12);
    expect(toRows(months).at(-1)).toMatch(/^ {2}all +48,910 calls +313\.3 GB/);
  });

  it("is counted by what is asked over HTTP, answers in whole and packed", async () => {
    const answer = Buffer.from(JSON.stringify({ result: "a".repeat(5_000) }));
    const server = await startServer((_, response) => void response.end(answer));
    const traffic = watchTraffic();
    try {
      const ask = async (body: string | null) =>
        (await request(server.url, { method: body === null ? "GET" : "POST", body })).body.dump();
      const scan = JSON.stringify({ method: "getProgramAccounts", params: ["Stake11111111", {}] });
      await Promise.all([
        ask(scan),
        ask(scan),
        ask(JSON.stringify({ method: "getHealth", params: ["x"] })),
        ask(null),
      ]);
    } finally {
      traffic.stop();
      await server.close();
    }
    const counted = traffic.read().map(({ method, calls, bytes }) => [method, calls, bytes]);
    expect(counted[0]).toEqual(["getProgramAccounts Stake1…", 2, 2 * answer.byteLength]);
    expect(counted.slice(1).toSorted()).toEqual([
      ["MEV vendor, GET", 1, answer.byteLength],
      ["getHealth", 1, answer.byteLength],
    ]);
    expect(traffic.read()[0]?.packedBytes).toBeLessThan(answer.byteLength / 10);
  });
});
