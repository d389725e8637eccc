import { findSpare } from "../../generator/journal/checkpoints.ts";

const HOURS_OF_YEAR = 8760;
const HOUR_MILLISECONDS = 3_600_000;

/** So many of a year's checkpoints stay, one made each hour. */
export function countKeptCheckpoints(): number {
  const heads = Array.from({ length: HOURS_OF_YEAR }, (_, ago) => {
    const time = new Date(Date.UTC(2026, 10, 20, 12) - ago * HOUR_MILLISECONDS).toISOString();
    return { moment: `${time.slice(0, 10)}/${time.slice(11).replaceAll(/\D/g, "")}`, key: time, digest: "" };
  });
  return heads.length - findSpare(heads).length;
}
