/**
 * What time a server had when it made an answer, by its Date header: milliseconds since 1970, cut to whole seconds. An
 * answer from a cache has the date it was made at, and its age (RFC 9111 §5.1). null: it tells none, or none that can be
 * read.
 */
export function readServerTime(headers: Record<string, string | string[] | undefined>): number | null {
  const date = Date.parse(String(headers["date"]));
  if (Number.isNaN(date)) return null;
  const age = String(headers["age"] ?? "0");
  return date + (/^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0);
}
