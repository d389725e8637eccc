import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { againstBudget, DAY_MILLISECONDS } from "./planning-size.ts";
import { playDay, type SimulatedDay } from "./simulated-day.ts";
import { toBill, toDollars } from "./store-prices.ts";
import { compactDay, type CompactedDay } from "./compacted-day.ts";

const JOURNAL_TIMES_MAX = 3;
const OFTEN_SECONDS = 10;
const MINUTE_SECONDS = 60;

interface Played {
  day: SimulatedDay;
  compacted: CompactedDay;
  /** Of generator and simulated cluster together. */
  processorSeconds: number;
}

/** What looking six times as often costs: a day at 10 s checks beside one at 60 s. */
export async function benchCadence(): Promise<string> {
  const often = await playAt(OFTEN_SECONDS, DAY_MILLISECONDS);
  const minutely = await playAt(MINUTE_SECONDS, DAY_MILLISECONDS);
  return compareCadences(often, minutely);
}

/** Plays so much of a day with a check each so many seconds, and compacts its journal. */
async function playAt(checkSeconds: number, milliseconds: number): Promise<Played> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-bench-"));
  try {
    const before = process.cpuUsage();
    const day = await playDay(join(directory, "day"), { checkSeconds, milliseconds });
    const { user, system } = process.cpuUsage(before);
    return {
      day,
      compacted: await compactDay(day.stateStore, join(directory, "state")),
      processorSeconds: (user + system) / 1e6,
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

function compareCadences(often: Played, minutely: Played): string {
  const times = (read: (played: Played) => number) => Math.round((read(often) / read(minutely)) * 100) / 100;
  const dollars = ({ day, compacted }: Played) => {
    const { requests, storage } = toDollars(toBill(day, compacted, 1), 1);
    return requests + storage;
  };
  return [
    `at ${OFTEN_SECONDS} s the loose journal is ${againstBudget(
      times(({ compacted }) => compacted.looseBytes),
      JOURNAL_TIMES_MAX,
      "times",
    )} that at ${MINUTE_SECONDS} s, ${toMegabytes(often.compacted.looseBytes)} and ${toMegabytes(minutely.compacted.looseBytes)} MB`,
    `packed ${againstBudget(
      times(({ compacted }) => compacted.packBytes),
      JOURNAL_TIMES_MAX,
      "times",
    )}, ${toMegabytes(often.compacted.packBytes)} and ${toMegabytes(minutely.compacted.packBytes)} MB`,
    `${often.day.observations} and ${minutely.day.observations} observations, ${often.day.counts.lists} and ${minutely.day.counts.lists} pages listed, ${often.day.counts.puts} and ${minutely.day.counts.puts} puts`,
    `${times(({ processorSeconds }) => processorSeconds)} times the processor, that of the simulated cluster included`,
    `a month at S3 list price $${dollars(often).toFixed(2)} and $${dollars(minutely).toFixed(2)}`,
  ].join("; ");
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
