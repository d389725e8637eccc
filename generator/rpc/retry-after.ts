/** A wrong header must not cost an endpoint for good: longer than this no limit of a provider lasts. */
const LONGEST_MILLISECONDS = 10 * 60_000;

/** The three forms of an HTTP date (RFC 9110 §5.6.7) begin with a day of the week; anything else `Date.parse` guesses at. */
const DAY_OF_WEEK = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/;

/**
 * Milliseconds that a Retry-After header asks for (RFC 9110 §10.2.3: seconds or an HTTP date), from 0 to ten minutes; null when
 * there is none or it cannot be read.
 * @param date the answer's own Date header, which a date is counted from: our clock may differ from the server's
 */
export function parseRetryAfter(header: string | null, date: string | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const milliseconds = isSeconds ? Number(text) * 1000 : parseHttpDate(text) - parseHttpDate(date?.trim() ?? "");
  if (Number.isNaN(milliseconds)) return null;
  return Math.min(Math.max(milliseconds, 0), LONGEST_MILLISECONDS);
}

/** Milliseconds since 1970; NaN for what is no HTTP date. The oldest form names no zone, and means the same one. */
function parseHttpDate(text: string): number {
  if (!DAY_OF_WEEK.test(text)) return NaN;
  return Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
}
