import { againstBudget, spentSince, toMegabytes } from "./measuring.ts";
import { DAY_MILLISECONDS } from "./planning-size.ts";
import { toMonthDollars } from "./store-day.ts";
import { playCompactedDay } from "./compacted-day.ts";

const JOURNAL_TIMES_MAX = 3;
const OFTEN_SECONDS = 10;
const MINUTE_SECONDS = 60;

type Played = Awaited<ReturnType<typeof playAt>>;

/** A day of checks each 10 s, against one each 60 s. */
export async function benchCadence(): Promise<string> {
  const often = await playAt(OFTEN_SECONDS);
  const minutely = await playAt(MINUTE_SECONDS);
  const times = (read: (played: Played) => number) => Math.round((read(often) / read(minutely)) * 100) / 100;
  const both = (read: (played: Played) => number | string) => `${read(often)} and ${read(minutely)}`;
  const looseTimes = times(({ compacted }) => compacted.looseBytes);
  const packedTimes = times(({ compacted }) => compacted.packBytes);
  return [
    `at ${OFTEN_SECONDS} s the loose journal is ${againstBudget(looseTimes, JOURNAL_TIMES_MAX, "times")} that at ${MINUTE_SECONDS} s, ${both(({ compacted }) => toMegabytes(compacted.looseBytes))} MB`,
    `packed ${againstBudget(packedTimes, JOURNAL_TIMES_MAX, "times")}, ${both(({ compacted }) => toMegabytes(compacted.packBytes))} MB`,
    `${both(({ day }) => day.observations)} observations, ${both(({ day }) => day.counts.lists)} pages listed, ${both(({ day }) => day.counts.puts)} puts`,
    `${times(({ processor }) => processor)} times the processor, that of the simulated cluster and of compaction included`,
    `a month at S3 list price ${both((played) => `$${toMonthDollars(played).toFixed(2)}`)}`,
  ].join("; ");
}

async function playAt(checkSeconds: number) {
  const before = process.cpuUsage();
  const played = await playCompactedDay({ checkSeconds, milliseconds: DAY_MILLISECONDS });
  return { ...played, processor: spentSince(before) };
}
