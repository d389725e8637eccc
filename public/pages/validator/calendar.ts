import type { UptimeDay } from "../../../generator/contract/history.ts";

/** One place of the calendar. */
export interface CalendarDay {
  /** YYYY-MM-DD. */
  date: string;
  /** null: no checks on record. */
  record: UptimeDay | null;
}

export interface CalendarWeek {
  /** Its Monday, YYYY-MM-DD. */
  monday: string;
  /** Short name of the month that begins in it, or that the calendar begins with; null: neither. */
  month: string | null;
  /** Monday to Sunday; null: before the first or after the last day of the calendar. */
  days: (CalendarDay | null)[];
}

/** How a day went, for its colour. full: no check missed; high: 99 % or more; part: 90 % or more; low: less. */
export type DayLevel = "full" | "high" | "part" | "low" | "none";

const DAY_MILLISECONDS = 86_400_000;
const WEEK_DAYS = 7;
/** Ten years: a date that cannot be must not make a calendar without end. */
export const WEEKS_MAX = 522;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Days in columns of weeks from Monday on (ISO 8601), oldest first; days without a record between them have their place. */
export function toCalendar(oldestFirst: readonly UptimeDay[]): CalendarWeek[] {
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  if (first === undefined || last === undefined) return [];
  const records = new Map(oldestFirst.map((day) => [day.date, day]));
  const end = toMonday(last.date);
  const start = Math.max(toMonday(first.date), end - (WEEKS_MAX - 1) * WEEK_DAYS * DAY_MILLISECONDS);
  const weeks: CalendarWeek[] = [];
  for (let monday = start; monday <= end; monday += WEEK_DAYS * DAY_MILLISECONDS) {
    const days = Array.from({ length: WEEK_DAYS }, (_, index) => {
      const date = toDate(monday + index * DAY_MILLISECONDS);
      return date < first.date || date > last.date ? null : { date, record: records.get(date) ?? null };
    });
    weeks.push({ monday: toDate(monday), month: toMonth(days, monday === start), days });
  }
  return weeks;
}

/** How a day went. */
export function toLevel(record: Pick<UptimeDay, "uptimePercent" | "delinquentChecks"> | null): DayLevel {
  if (record === null) return "none";
  // By the checks: 99.999 % is written as 100.
  if (record.delinquentChecks === 0) return "full";
  if (record.uptimePercent >= 99) return "high";
  return record.uptimePercent >= 90 ? "part" : "low";
}

function toMonth(days: readonly (CalendarDay | null)[], isFirst: boolean): string | null {
  const begins = days.find((day) => day?.date.endsWith("-01") === true);
  const named = begins ?? (isFirst ? days.find((day) => day !== null) : undefined);
  return named == null ? null : (MONTHS[Number(named.date.slice(5, 7)) - 1] ?? null);
}

/** Midnight of the week's Monday, UTC, in milliseconds. */
function toMonday(date: string): number {
  const time = Date.parse(date);
  // getUTCDay counts from Sunday.
  const sinceMonday = (new Date(time).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return time - sinceMonday * DAY_MILLISECONDS;
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
