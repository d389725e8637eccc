import { readFile } from "node:fs/promises";
import { format, resolveConfig } from "prettier";
import { describe, expect, it } from "vitest";
import { readCounts } from "../../infra/costs/counts.ts";
import { billAws, billR2, toUsage } from "../../infra/costs/months.ts";
import { PRICES, toDollars } from "../../infra/costs/prices.ts";
import { withCosts } from "../../infra/costs/tables.ts";

const README = new URL("../../infra/README.md", import.meta.url);

const dollarsOf = (lines: { what: string; dollars: number }[], what: string) =>
  lines.filter((line) => line.what.startsWith(what)).reduce((sum, { dollars }) => sum + dollars, 0);

describe("what a month costs", () => {
  it("stands in the README as it is computed: else `node infra/costs/write.ts`", async () => {
    const readme = await readFile(README, "utf8");
    const config = await resolveConfig(README);
    expect(await format(withCosts(readme, readCounts()), { ...config, parser: "markdown" })).toBe(readme);
  });

  it("has nothing to pay below what is free, and only the rest above it", () => {
    const { freeUnits, dollars, per } = PRICES.cloudFrontRequests;
    expect(toDollars("cloudFrontRequests", freeUnits)).toBe(0);
    expect(toDollars("cloudFrontRequests", freeUnits + per)).toBe(dollars);
  });

  it("goes up with the writes, at every vendor", () => {
    const usage = toUsage(readCounts());
    const twice = { ...usage, writes: usage.writes * 2 };
    const s3 = dollarsOf(billAws(usage), "S3: documents");
    expect(s3).toBeGreaterThan(0);
    expect(dollarsOf(billAws(twice), "S3: documents")).toBeCloseTo(2 * s3);
    expect(dollarsOf(billR2(twice), "R2: documents")).toBeGreaterThan(dollarsOf(billR2(usage), "R2: documents"));
  });

  it("counts all three networks for the months that they have", () => {
    const counts = readCounts();
    const { mainnet, testnet, alpenglow } = counts.networks;
    const daily = mainnet.writes + testnet.writes + alpenglow.writes;
    expect(toUsage(counts).writes).toBeCloseTo((daily * 365) / 12);
  });

  it("is not told without a measured answer", () => {
    expect(() => toUsage({ ...readCounts(), answers: [] })).toThrow("no answer was measured");
  });
});
