import { describe, expect, it } from "vitest";
import { billAws, billR2, toUsage, type Line } from "../bench/month.ts";
import { PRICES, toDollars } from "../bench/prices.ts";

const day = {
  writes: 60_000,
  reads: 7_000,
  readBytes: 2e9,
  coldStartBytes: 1e7,
  looseBytes: 9e7,
  derivedBytes: 5e8,
  publicBytes: 7e8,
  stateBytes: 2e9,
};
const usage = toUsage({ networks: { mainnet: day, testnet: day, alpenglow: day }, answerBytes: 5_000 });

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
    expect(dollarsOf(billR2(twice), "R2: documents")).toBeGreaterThan(dollarsOf(billR2(usage), "R2: documents"));
  });
});
