const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time span as one reads it: `3 ms`, `1.4 s`, `12 min`, `5 h`, `61 days`. */
export function toSpan(milliseconds: number): string {
  const span = Math.abs(milliseconds);
  if (span < SECOND) return `${Math.round(span)} ms`;
  if (span < 2 * MINUTE) return `${(span / SECOND).toFixed(1)} s`;
  if (span < 2 * HOUR) return `${Math.round(span / MINUTE)} min`;
  if (span < 2 * DAY) return `${Math.round(span / HOUR)} h`;
  return `${Math.round(span / DAY)} days`;
}

/** A count with its digits in groups: `312,455,001`. */
export function toCount(count: number): string {
  return count.toLocaleString("en-US");
}
