import { listDays } from "../../journal/days.ts";
import { shiftDay, toDay, type JournalPlace } from "../../journal/names.ts";
import { createPackNames, packsBeyond } from "../../journal/packs/names.ts";
import { toCount } from "./durations.ts";
import { ok, warning, type Finding } from "./findings.ts";

const SUBJECT = "packs";
/** A day is packed within hours of its end, and its loose entries go two days later. */
const OVERDUE_DAYS = 4;
/** Packs of the last month are looked into: each is got whole, some megabytes. */
const LOOK_DAYS = 31;

/** How the days before today are kept: packed, loose, or in packs that cannot be read. @throws {StoreError} */
export async function examineDays(place: JournalPlace, { now }: { now: number }): Promise<Finding[]> {
  const today = toDay(now);
  const lookFrom = shiftDay(today, -LOOK_DAYS);
  const overdueUntil = shiftDay(today, -OVERDUE_DAYS);
  const packNames = createPackNames(place);
  const counts = { packed: 0, loose: 0 };
  const overdue: string[] = [];
  const unreadable: string[] = [];
  for await (const day of listDays(place, { fromDay: null, untilDay: today })) {
    if (day.packs.length > 0) counts.packed += 1;
    if (day.loose.length > 0) counts.loose += 1;
    if (day.loose.length > 0 && day.day <= overdueUntil) overdue.push(day.day);
    if (day.day < lookFrom) continue;
    // Where all is loose as well, nothing depends on the pack yet.
    for (const pack of packsBeyond(day)) {
      const names = await packNames.of(pack);
      if ("unreadable" in names) unreadable.push(`${pack.key}: ${names.unreadable}`);
    }
  }
  if (counts.packed + counts.loose === 0) return [];
  const found = `${toCount(counts.packed)} days packed, ${toCount(counts.loose)} with loose entries`;
  return [toOverdue(place, found, overdue), ...toUnreadable(unreadable)];
}

function toOverdue({ network }: JournalPlace, found: string, overdue: string[]): Finding {
  const [first] = overdue;
  if (first === undefined) return ok(SUBJECT, found);
  const advice = `npm run generate -- publish --network ${network} does what is due, a piece at a time, and says what it cannot.`;
  return warning(SUBJECT, `${found}, the oldest of ${first}`, advice);
}

function toUnreadable(unreadable: string[]): Finding[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  const found = `${toCount(unreadable.length)} packs of the last ${LOOK_DAYS} days cannot be read, for example ${first}`;
  const advice = "What only they hold is left out. Put them back from a backup if there is one.";
  return [warning(SUBJECT, found, advice)];
}
