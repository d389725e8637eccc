import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { UptimeDay } from "../../../generator/contract/history.ts";
import { NOT_KNOWN, toCount, toCounted, toPercent } from "../../format/values.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const LEGEND: readonly { level: DayLevel; name: string }[] = [
  { level: "full", name: "voted in every check" },
  { level: "high", name: `${toPercent(99)} or more` },
  { level: "part", name: `${toPercent(90)} or more` },
  { level: "low", name: "less" },
  { level: "none", name: NOT_KNOWN },
];

export function Calendar({ days }: { days: readonly UptimeDay[] }) {
  const weeks = useMemo(() => toCalendar(days), [days]);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    place.current?.scrollTo({ left: place.current.scrollWidth });
  }, [weeks]);
  return (
    <>
      <div
        class="calendar-place"
        ref={place}
        tabIndex={0}
        role="region"
        aria-label="Uptime calendar"
      >
        {weeks.length <= WEEKS_IN_A_ROW ? (
          <DaysInARow days={weeks.flatMap(({ days: of }) => of.filter((day) => day !== null))} />
        ) : (
          <Weeks weeks={weeks} />
        )}
      </div>
      <ul class="calendar-legend">
        {LEGEND.map(({ level, name }) => (
          <li key={level}>
            <span class={`day day-${level}`} aria-hidden="true" /> {name}
          </li>
        ))}
      </ul>
    </>
  );
}

function Weeks({ weeks }: { weeks: readonly CalendarWeek[] }) {
  return (
    <table class="calendar">
      <caption class="visually-hidden">
        Uptime by day: one column for each week, one row for each day of the week
      </caption>
      <thead>
        <tr>
          <td />
          {weeks.map(({ monday, month }) => (
            <th key={monday} scope="col">
              <span class="visually-hidden">Week of {monday}</span>
              <span aria-hidden="true">{month}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {WEEKDAYS.map((weekday, index) => (
          <tr key={weekday}>
            <th scope="row">
              <abbr title={weekday}>{weekday.slice(0, 3)}</abbr>
            </th>
            {weeks.map(({ monday, days: of }) => (
              <Day key={monday} day={of[index] ?? null} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DaysInARow({ days }: { days: readonly CalendarDay[] }) {
  return (
    <table class="calendar">
      <caption class="visually-hidden">Uptime by day</caption>
      <thead>
        <tr>
          {days.map(({ date }) => (
            <th key={date} scope="col" class="day-date">
              {MONTHS[Number(date.slice(5, 7)) - 1]} {Number(date.slice(8))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {days.map((day) => (
            <Day key={day.date} day={day} />
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function Day({ day }: { day: CalendarDay | null }) {
  if (day === null) return <td />;
  const level = toLevel(day.record);
  const words = toWords(day);
  return (
    <td class={`day day-${level}`} title={words}>
      <span class="visually-hidden">{words}</span>
      {day.record !== null && level !== "full" && (
        <span aria-hidden="true">{Math.min(99, Math.floor(day.record.uptimePercent))}</span>
      )}
    </td>
  );
}

function toWords({ date, record }: CalendarDay): string {
  if (record === null) return `${date}: ${NOT_KNOWN}`;
  const { uptimePercent, delinquentChecks, uptimeChecks } = record;
  return `${date}: ${toPercent(uptimePercent)}, delinquent in ${toCount(delinquentChecks)} of ${toCounted(uptimeChecks, "check")}`;
}

/** null record: no check on that day. */
interface CalendarDay {
  date: string;
  record: UptimeDay | null;
}

interface CalendarWeek {
  monday: string;
  /** The month that begins in this week, or the month of the first week; null: neither. */
  month: string | null;
  days: (CalendarDay | null)[];
}

/** full: no check missed; high: 99 % or more; part: 90 % or more. */
type DayLevel = "full" | "high" | "part" | "low" | "none";

const DAY_MILLISECONDS = 86_400_000;
const WEEK_DAYS = 7;
const WEEKS_IN_A_ROW = 2;
/** Ten years, whatever dates the API sends. */
export const WEEKS_MAX = 522;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Weeks from Monday (ISO 8601), oldest first; days without a record stay empty. */
export function toCalendar(oldestFirst: readonly UptimeDay[]): CalendarWeek[] {
  const [first, last] = [oldestFirst[0], oldestFirst.at(-1)];
  if (first === undefined || last === undefined) return [];
  const records = new Map(oldestFirst.map((day) => [day.date, day]));
  const end = toMonday(last.date);
  const start = Math.max(
    toMonday(first.date),
    end - (WEEKS_MAX - 1) * WEEK_DAYS * DAY_MILLISECONDS,
  );
  const weeks: CalendarWeek[] = [];
  for (let monday = start; monday <= end; monday += WEEK_DAYS * DAY_MILLISECONDS) {
    const days = Array.from({ length: WEEK_DAYS }, (_, index) => {
      const date = toDate(monday + index * DAY_MILLISECONDS);
      return date < first.date || date > last.date
        ? null
        : { date, record: records.get(date) ?? null };
    });
    weeks.push({ monday: toDate(monday), month: toMonth(days, monday === start), days });
  }
  return weeks;
}

export function toLevel(
  record: Pick<UptimeDay, "uptimePercent" | "delinquentChecks"> | null,
): DayLevel {
  if (record === null) return "none";
  // 99.999 % would round to 100.
  if (record.delinquentChecks === 0) return "full";
  if (record.uptimePercent >= 99) return "high";
  return record.uptimePercent >= 90 ? "part" : "low";
}

function toMonth(days: readonly (CalendarDay | null)[], isFirst: boolean): string | null {
  const begins = days.find((day) => day?.date.endsWith("-01") === true);
  const named = begins ?? (isFirst ? days.find((day) => day !== null) : undefined);
  return named == null ? null : (MONTHS[Number(named.date.slice(5, 7)) - 1] ?? null);
}

/** Milliseconds, UTC. */
function toMonday(date: string): number {
  const time = Date.parse(date);
  // getUTCDay counts from Sunday.
  const sinceMonday = (new Date(time).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return time - sinceMonday * DAY_MILLISECONDS;
}

function toDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
