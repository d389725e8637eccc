import { apiNow } from "../app/clock.ts";
import { toAgo, toUtc } from "../format/times.ts";

/** How long ago something was, by the API's clock; the time itself for who points at it, or while the clock is not known. */
export function Ago({ time }: { time: string }) {
  const now = apiNow.value;
  const utc = toUtc(time);
  return (
    <time dateTime={time} title={utc}>
      {now === null ? utc : toAgo(now - Date.parse(time))}
    </time>
  );
}
