import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { againstBudget, NETWORK_SIZES } from "./planning-size.ts";
import { playDay, type Put } from "./simulated-day.ts";
import { toKind } from "./store-day.ts";
import { toBill, toDollars } from "./store-prices.ts";
import { compactDay } from "./compacted-day.ts";

const WRITES_MAX = 60_000;

/** The writes of a simulated day by what is written, against all documents with each observation; and a month's cost. */
export async function benchWritesOfADay(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-bench-"));
  try {
    const day = await playDay(join(directory, "day"));
    const compacted = await compactDay(day.stateStore, join(directory, "state"));
    const { observations, events, documents, counts, puts } = day;
    const kinds = [...Map.groupBy(puts, toKind)].sort(([, one], [, other]) => other.length - one.length);
    const dollars = Object.values(NETWORK_SIZES).map((size) => {
      const { requests, storage } = toDollars(toBill(day, compacted, size / NETWORK_SIZES.mainnet), 1);
      return requests + storage;
    });
    return [
      againstBudget(puts.length, WRITES_MAX, "writes"),
      kinds.map(([kind, ofKind]) => `${kind} ${ofKind.length} of ${toMegabytes(ofKind)} MB`).join(", "),
      `${observations} observations, ${events} events, ${counts.lists} pages listed, ${counts.gets} reads`,
      `all ${documents} documents with each observation would be ${Math.round((documents * observations) / puts.length)} times as many`,
      `a month at S3 list price $${toPrice(dollars[0] ?? 0)}, with testnet and alpenglow $${toPrice(sum(dollars))}`,
    ].join("; ");
  } finally {
    await rm(directory, { recursive: true });
  }
}

function toMegabytes(puts: Put[]): string {
  return (sum(puts.map(({ bytes }) => bytes)) / 1e6).toFixed(1);
}

function toPrice(dollars: number): string {
  return dollars.toFixed(2);
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
