import type { CommissionEvent, Severity } from "../../../generator/contract/event.ts";
import type { CommissionPoint } from "../../../generator/contract/history.ts";
import type { DocumentOf } from "../../../generator/contract/objects.ts";
import type { Profile, Validator } from "../../../generator/contract/validator.ts";
import { RUG_PERCENT } from "../../../generator/contract/severity.ts";
import { SEVERITIES } from "../../format/events.ts";

/** null: not loaded yet. */
export interface Compared {
  profile: Profile;
  events: readonly CommissionEvent[] | null;
  points: readonly CommissionPoint[] | null;
  /** Whose cost is asked. */
  sol: number;
  uptime: DocumentOf<"uptime">["meta"] | null;
}

interface Blamed {
  level: Profile["verdict"]["level"];
  /** Percent; null: not known. */
  rate: number | null;
  /** What is paid now; null: not known, or the rate is that. */
  before: number | null;
}

/** Whether a rate is what a verdict is not good for: nearly everything, or more than now. */
export function isToBlame({ level, rate, before }: Blamed): boolean {
  if (level === "good" || rate === null) return false;
  return rate >= RUG_PERCENT || (before !== null && rate > before);
}

/** The steps of an event count in its place. */
export function countSeverities(
  events: readonly Pick<CommissionEvent, "severity" | "replacedBy">[],
): { severity: Severity; count: number }[] {
  const counted = events.filter(({ replacedBy }) => replacedBy === null);
  return SEVERITIES.map((severity) => ({
    severity,
    count: counted.filter((event) => event.severity === severity).length,
  })).filter(({ count }) => count > 0);
}

export function toPlaceText(location: Validator["location"]): string | null {
  const parts = [location?.city, location?.country, location?.dataCenter].filter(
    (part) => part != null,
  );
  return parts.length === 0 ? null : parts.join(", ");
}
