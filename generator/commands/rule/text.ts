import type { ExplainedEvent } from "../../service/explain/subject.ts";
import { toTitle } from "../explain/text.ts";
import type { Ruled, RuleReport } from "../../service/rule.ts";

/** Of a list of events so many are named: `--json` has them all. */
const EVENTS_NAMED = 10;

/** A ruling for a person: what was said, and what came of it. */
export function toText({ ruling, documents, skipped }: RuleReport): string {
  const { subject, verdict, nothing, changes } = ruling;
  const about = subject.of === "event" ? `the event ${subject.id}` : `the observation ${subject.key}`;
  const did = `${ruling.dryRun ? "would be" : "is"} ${verdict === "ignore" ? "ignored" : "accepted"}`;
  if (nothing !== null) return `nothing to rule on ${about}: ${nothing}`;
  const journaled = ruling.dryRun ? "nothing was written; it would be journaled as" : "journaled as";
  return [
    `${about} ${did}: ${ruling.reason}`,
    `  ${journaled} ${ruling.entry ?? ""}`,
    ...toOutcome(ruling),
    ...toList("shown no more", changes.gone),
    ...toList("shown now", changes.come),
    ...(changes.moved.length === 0 ? [] : [`  ${changes.moved.length} events lie between other observations now`]),
    ...(changes.gone.length + changes.come.length + changes.moved.length === 0 ? ["  no event changed"] : []),
    ...(changes.forgotten === 0 ? [] : [`  ${changes.forgotten} validators are known no more: ${PRUNE}`]),
    `  ${documents.written} documents ${ruling.dryRun ? "would be written" : "were written"}`,
    ...(skipped === null ? [] : [`  not published: ${skipped}; the next run does it`]),
  ].join("\n");
}

const PRUNE = "their documents stay until `generate rebuild --prune`";

function toOutcome({ observation }: Ruled): string[] {
  if (observation === null) return [];
  return [observation.accepted ? "  it counts now" : `  it does not count now: ${observation.reason}`];
}

function toList(what: string, events: readonly ExplainedEvent[]): string[] {
  if (events.length === 0) return [];
  const named = events
    .slice(0, EVENTS_NAMED)
    .map((event) => `    ${event.id}  ${toTitle(event)} of ${event.votePubkey} in epoch ${event.epoch}`);
  const more = events.length > named.length ? [`    and ${events.length - named.length} more`] : [];
  return [`  ${what}:`, ...named, ...more];
}
