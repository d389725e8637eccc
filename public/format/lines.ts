import type { CommissionEvent, Severity } from "../../generator/contract/event.ts";
import type { Incident } from "../../generator/contract/incident.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import { toPatternKey } from "../../generator/contract/repeats.ts";
import { CAUTION_POINTS, RUG_PERCENT } from "../../generator/contract/severity.ts";

/** Repeats share a line, or they would hide the others. */
export type Line =
  | { kind: "change"; event: CommissionEvent }
  | { kind: "pattern"; event: CommissionEvent; pattern: Pattern; repeats: readonly CommissionEvent[] }
  | { kind: "incident"; event: CommissionEvent; incident: Incident; members: readonly CommissionEvent[] };

export function foldPatterns(newestFirst: readonly CommissionEvent[]): Line[] {
  const patterns = Map.groupBy(newestFirst, toPatternKey);
  return newestFirst.flatMap((event): Line[] => {
    const { pattern } = event;
    if (pattern === null) return [{ kind: "change", event }];
    const repeats = patterns.get(toPatternKey(event)) ?? [];
    return repeats[0] === event ? [{ kind: "pattern", event, pattern, repeats }] : [];
  });
}

export function foldAll(newestFirst: readonly CommissionEvent[]): Line[] {
  const incidents = Map.groupBy(newestFirst, ({ incident }) => incident?.id);
  return foldPatterns(newestFirst).flatMap((line): Line[] => {
    const { event } = line;
    const members = incidents.get(event.incident?.id) ?? [];
    if (!event.incident || members.length < 2) return [line];
    return members[0] === event ? [{ kind: "incident", event, incident: event.incident, members }] : [];
  });
}

/** The newest event of a pattern may be a fall. */
export function toSeverity({ severity, pattern }: Pick<CommissionEvent, "severity" | "pattern">): Severity {
  if (pattern === null) return severity;
  const { source, from, to } = pattern;
  if (to >= RUG_PERCENT && to > from) return "RUG";
  return to - from >= CAUTION_POINTS[source] ? "CAUTION" : "INFO";
}
