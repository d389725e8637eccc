import { describe, expect, it } from "vitest";
import { toCalendar, toLevel, WEEKS_MAX } from "../../../public/pages/validator/Calendar.tsx";

const day = (date: string) => ({ date, uptimeChecks: 1_440, delinquentChecks: 0, uptimePercent: 100 });

describe("the uptime calendar", () => {
  it("has no weeks where there is no day", () => {
    expect(toCalendar([])).toEqual([]);
  });

  it("puts days in weeks from Monday to Sunday, and keeps the place of those without a record", () => {
    const [saturday, monday] = [day("2026-10-24"), day("2026-10-26")];
    expect(toCalendar([saturday, monday])).toEqual([
      {
        monday: "2026-10-19",
        month: "Oct",
        days: [
          null,
          null,
          null,
          null,
          null,
          { date: "2026-10-24", record: saturday },
          { date: "2026-10-25", record: null },
        ],
      },
      {
        monday: "2026-10-26",
        month: null,
        days: [{ date: "2026-10-26", record: monday }, null, null, null, null, null, null],
      },
    ]);
  });

  it("takes a Sunday as the end of its week", () => {
    const [week, ...others] = toCalendar([day("2026-03-01")]);
    expect(others).toEqual([]);
    expect(week?.monday).toBe("2026-02-23");
    expect(week?.days[6]?.date).toBe("2026-03-01");
  });

  it("names a month in the week that it begins in", () => {
    const weeks = toCalendar([day("2026-10-24"), day("2027-01-05")]);
    expect(weeks.flatMap(({ month, monday }) => (month === null ? [] : [`${month} ${monday}`]))).toEqual([
      "Oct 2026-10-19",
      "Nov 2026-10-26",
      "Dec 2026-11-30",
      "Jan 2026-12-28",
    ]);
  });

  it("is bounded, whatever date a document holds", () => {
    const weeks = toCalendar([day("1970-01-01"), day("2026-10-24")]);
    expect(weeks).toHaveLength(WEEKS_MAX);
    expect(weeks.at(-1)?.days[5]?.record).not.toBeNull();
  });

  it("tells how a day went, and calls no day whole that has a delinquent check", () => {
    const went = (uptimePercent: number, delinquentChecks = 1) => toLevel({ uptimePercent, delinquentChecks });
    expect([went(100, 0), went(100), went(99), went(98.99), went(90), went(89.99)]).toEqual([
      "full",
      "high",
      "high",
      "part",
      "part",
      "low",
    ]);
    expect(toLevel(null)).toBe("none");
  });
});
