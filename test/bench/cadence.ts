import { againstBudget, spentSince, toMegabytes } from "./measuring.ts";
import { DAY_MILLISECONDS } from "./planning-size.ts";
import { toMonthDollars } from "./store-day.ts";
import { playPackedDay, type PackedDay } from "./packed-day.ts";

const JOURNAL_TIMES_MAX = 3;
const MORE_MEGABYTES_MAX = 150;
const OFTEN_SECONDS = 10;
const MINUTE_SECONDS = 60;

type Played = Awaited<ReturnType<typeof playAt>>;

export async function bench(): Promise<string> {
  const often = await playAt(OFTEN_SECONDS);
  const minutely = await playAt(MINUTE_SECONDS);
  const times = (read: (played: Played) => number) =>
    Math.round((read(often) / read(minutely)) * 100) / 100;
  const both = (read: (played: Played) => number | string) =>
    `${read(often)} and ${read(minutely)}`;
  const looseTimes = times(({ packed }) => packed.looseBytes);
  const packedTimes = times(({ packed }) => packed.packBytes);
  return [
    `checks every ${OFTEN_SECONDS} s and every ${MINUTE_SECONDS} s: loose journal ${both(({ packed }) => toMegabytes(packed.looseBytes))} MB, ${againstBudget(looseTimes, JOURNAL_TIMES_MAX, "times")}`,
    `packs ${both(({ packed }) => toMegabytes(packed.packBytes))} MB, ${againstBudget(packedTimes, JOURNAL_TIMES_MAX, "times")}`,
    `${both(({ day }) => day.observations)} observations, ${both(({ day }) => day.counts.lists)} pages listed, ${both(({ day }) => day.counts.puts)} puts`,
    `${times(({ processor }) => processor)} times the processor time, simulated cluster and compaction included`,
    `a month at S3 list prices ${both((played) => `$${toMonthDollars(played).toFixed(2)}`)}`,
    `packing the minute's takes ${toStep(minutely.packed, "packing")}; reading back and deleting takes ${toStep(minutely.packed, "deleting")}`,
  ].join("; ");
}

function toStep(packed: PackedDay, step: "packing" | "deleting"): string {
  const { seconds, peakMegabytes } = packed[step];
  const more = Math.round(peakMegabytes - packed.idleMegabytes);
  return `${seconds.toFixed(1)} s and ${againstBudget(more, MORE_MEGABYTES_MAX, "MB of extra memory")}`;
}

async function playAt(checkSeconds: number) {
  const before = process.cpuUsage();
  const played = await playPackedDay({ checkSeconds, milliseconds: DAY_MILLISECONDS });
  return { ...played, processor: spentSince(before) };
}
