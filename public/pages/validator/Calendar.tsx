import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { UptimeDay } from "../../../generator/contract/history.ts";
import { toCount, toPercent } from "../../format/amounts.ts";
import { toCalendar, toLevel, type CalendarDay, type DayLevel } from "./calendar.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const LEGEND: readonly { level: DayLevel; name: string }[] = [
  { level: "full", name: "voted in every check" },
  { level: "high", name: "99 % or more" },
  { level: "part", name: "90 % or more" },
  { level: "low", name: "less" },
  { level: "none", name: "not on record" },
];

/** Days by columns of weeks, by colour and by figure: what is not whole has its percentage written on it. */
export function Calendar({ days }: { days: readonly UptimeDay[] }) {
  const weeks = useMemo(() => toCalendar(days), [days]);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The newest weeks are at the end, and a narrow screen shows the beginning.
    place.current?.scrollTo({ left: place.current.scrollWidth });
  }, [weeks]);
  return (
    <>
      <div class="calendar-place" ref={place} tabIndex={0} role="region" aria-label="Uptime calendar">
        <table class="calendar">
          <caption class="visually-hidden">Uptime by day: a column a week, a row a day of the week</caption>
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

function Day({ day }: { day: CalendarDay | null }) {
  if (day === null) return <td />;
  const level = toLevel(day.record);
  const words = toWords(day);
  return (
    <td class={`day day-${level}`} title={words}>
      <span class="visually-hidden">{words}</span>
      {day.record !== null && level !== "full" && (
        // Rounded down: a day that was not whole is never written as 100.
        <span aria-hidden="true">{Math.min(99, Math.floor(day.record.uptimePercent))}</span>
      )}
    </td>
  );
}

function toWords({ date, record }: CalendarDay): string {
  if (record === null) return `${date}: not on record`;
  const { uptimePercent, delinquentChecks, uptimeChecks } = record;
  return `${date}: ${toPercent(uptimePercent)}, delinquent in ${toCount(delinquentChecks)} of ${toCount(uptimeChecks)} checks`;
}
