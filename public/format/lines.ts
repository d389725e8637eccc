import type { CommissionEvent, Severity } from "../../generator/contract/event.ts";
import type { Incident } from "../../generator/contract/incident.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import { toPatternKey } from "../../generator/contract/repeats.ts";
import { CAUTION_POINTS, RUG_PERCENT } from "../../generator/contract/severity.ts";
import { findWorst } from "./events.ts";

/** Repeats share a line, or they would hide the others. */
export type Line =
  | { kind: "change"; event: CommissionEvent }
  | {
      kind: "pattern";
      event: CommissionEvent;
      pattern: Pattern;
      repeats: readonly CommissionEvent[];
    }
  | {
      kind: "incident";
      event: CommissionEvent;
      incident: Incident;
      members: readonly CommissionEvent[];
    };

/**
 * All changes of one validator. A pattern takes in every change that it counts, those
 * from before it was one too, but none that is heavier: that one stands for itself.
 */
export function foldPatterns(newestFirst: readonly CommissionEvent[]): Line[] {
  const lines = foldRepeats(newestFirst).map((line): Line => {
    if (line.kind !== "pattern") return line;
    const counted = new Set([...line.repeats, ...findUnnamed(line, newestFirst)]);
    return { ...line, repeats: newestFirst.filter((event) => counted.has(event)) };
  });
  const folded = new Set(lines.flatMap((line) => (line.kind === "pattern" ? line.repeats : [])));
  return lines.filter(({ kind, event }) => kind === "pattern" || !folded.has(event));
}

function foldRepeats(newestFirst: readonly CommissionEvent[]): Line[] {
  const patterns = Map.groupBy(newestFirst, toPatternKey);
  return newestFirst.flatMap((event): Line[] => {
    const { pattern } = event;
    if (pattern === null) return [{ kind: "change", event }];
    const repeats = patterns.get(toPatternKey(event)) ?? [];
    return repeats[0] === event ? [{ kind: "pattern", event, pattern, repeats }] : [];
  });
}

/**
 * From before it was a pattern, or further than it went until then: these events do not name it.
 */
function findUnnamed(
  { event: newest, pattern: { source, firstEpoch, changes } }: Extract<Line, { kind: "pattern" }>,
  newestFirst: readonly CommissionEvent[],
): CommissionEvent[] {
  const severity = toSeverity(newest);
  return newestFirst
    .slice(newestFirst.indexOf(newest))
    .filter((event) => event.source === source && event.confirmed && event.replacedBy === null)
    .slice(0, changes)
    .filter(({ pattern, epoch }) => pattern === null && epoch >= firstEpoch)
    .filter((event) => findWorst([event, { severity }]) === severity);
}

export function foldAll(newestFirst: readonly CommissionEvent[]): Line[] {
  const incidents = Map.groupBy(newestFirst, ({ incident }) => incident?.id);
  return foldRepeats(newestFirst).flatMap((line): Line[] => {
    const { event } = line;
    const members = incidents.get(event.incident?.id) ?? [];
    if (!event.incident || members.length < 2) return [line];
    return members[0] === event
      ? [{ kind: "incident", event, incident: event.incident, members }]
      : [];
  });
}

/** The newest event of a pattern may be a fall. */
export function toSeverity({
  severity,
  pattern,
}: Pick<CommissionEvent, "severity" | "pattern">): Severity {
  if (pattern === null) return severity;
  const { source, from, to } = pattern;
  if (to >= RUG_PERCENT && to > from) return "RUG";
  return to - from >= CAUTION_POINTS[source] ? "CAUTION" : "INFO";
}
