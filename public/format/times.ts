const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its two largest units: "1 d 4 h", "3 h 12 min", "4 min 5 s", "12 s". Less than nothing is "0 s". */
export function toDuration(milliseconds: number): string {
  const rest = Math.max(0, milliseconds);
  if (rest >= DAY) return pair(rest, DAY, "d", HOUR, "h");
  if (rest >= HOUR) return pair(rest, HOUR, "h", MINUTE, "min");
  if (rest >= MINUTE) return pair(rest, MINUTE, "min", SECOND, "s");
  return `${Math.floor(rest / SECOND)} s`;
}

/** How long ago, in one unit: "just now", "5 min ago", "3 h ago", "12 d ago". What is yet to come is "just now". */
export function toAgo(milliseconds: number): string {
  if (milliseconds < MINUTE) return "just now";
  if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min ago`;
  if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h ago`;
  return `${Math.floor(milliseconds / DAY)} d ago`;
}

/** A time of a document for people: "2026-11-20 15:30 UTC". */
export function toUtc(time: string): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function pair(rest: number, large: number, largeName: string, small: number, smallName: string): string {
  const many = Math.floor(rest / large);
  const few = Math.floor((rest % large) / small);
  return few === 0 ? `${many} ${largeName}` : `${many} ${largeName} ${few} ${smallName}`;
}
