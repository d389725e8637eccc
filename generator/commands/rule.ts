import type { Network } from "../contract/networks.ts";
import { toReason } from "../contract/strangers-text.ts";
import { RAW_TEXT_MAX } from "../entries/entry.ts";
import type { Ruling } from "../entries/ruling.ts";
import { toSubjectText } from "../ledger/rulings.ts";
import type { ExplainedEvent } from "../service/explain/event.ts";
import type { SubjectWanted } from "../service/rule/subject.ts";
import { rule, type Ruled, type RuleReport } from "../service/rule.ts";
import { finish, logProgress, toOptions, type Flags } from "./command.ts";
import { toTitle } from "./explain.ts";

/**
 * `generate rule`: prints what the ruling changed.
 * @param refuse receives why the flags do not fit together, and must not return
 */
export async function ruleCommand(
  flags: Flags & RuleFlags & { network: Network; dryRun: boolean },
  refuse: (reason: string) => never,
): Promise<void> {
  const wanted = parseRuleFlags(flags);
  if ("wrong" in wanted) return refuse(wanted.wrong);
  const { network, dryRun, json } = flags;
  const report = await rule({
    ...toOptions(flags),
    ...wanted,
    network,
    dryRun,
    onProgress: logProgress,
  });
  if (!json) process.stdout.write(`${describeRuling(report)}\n`);
  const command = dryRun && !json ? "rule --dry-run" : report.command;
  await finish(flags, Promise.resolve({ ...report, command }));
}

/** Flags of `generate rule`, of which only certain combinations are allowed. */
export interface RuleFlags {
  observation?: string;
  event?: string;
  accept?: boolean;
  ignore?: boolean;
  reason: string;
}

/** What the flags ask for, or what is wrong with them, for people. */
export function parseRuleFlags(
  flags: RuleFlags,
): { subject: SubjectWanted; verdict: Ruling["verdict"]; reason: string } | { wrong: string } {
  const { observation, event, accept = false, ignore = false, reason } = flags;
  if ((observation === undefined) === (event === undefined))
    return { wrong: "give --observation NUMBER or --event ID: what to rule on" };
  if (accept === ignore) return { wrong: "give --accept or --ignore" };
  if (toReason(reason) === null)
    return { wrong: "--reason must be readable text: status.json publishes it" };
  if (reason.length > RAW_TEXT_MAX)
    return {
      wrong: `--reason has ${reason.length} characters: it must have ${RAW_TEXT_MAX} at most`,
    };
  const subject: SubjectWanted =
    event === undefined
      ? { of: "observation", key: observation ?? "" }
      : { of: "event", id: event };
  return { subject, verdict: accept ? "accept" : "ignore", reason };
}

/** `--json` has all. */
const EVENTS_NAMED = 10;

/** A ruling and its effects as text for a terminal. */
export function describeRuling({ ruling, documents, skipped }: RuleReport): string {
  const { subject, verdict, nothing, changes } = ruling;
  const about =
    subject.of === "event"
      ? `the event ${subject.id}`
      : `the observation ${toSubjectText(subject)}`;
  const did = `${ruling.dryRun ? "would be" : "is"} ${verdict === "ignore" ? "ignored" : "accepted"}`;
  if (nothing !== null) return `nothing to rule on ${about}: ${nothing}`;
  const journaled = ruling.dryRun
    ? "dry run, nothing was written; it would be ruling"
    : "kept as ruling";
  return [
    `${about} ${did}: ${ruling.reason}`,
    `  ${journaled} ${ruling.entry ?? ""}`,
    ...toOutcome(ruling),
    ...toList("shown no more", changes.gone),
    ...toList("shown now", changes.come),
    ...(changes.moved.length === 0
      ? []
      : [`  ${changes.moved.length} events lie between other observations now`]),
    ...(changes.gone.length + changes.come.length + changes.moved.length === 0
      ? ["  no event changed"]
      : []),
    ...(changes.forgotten === 0
      ? []
      : [`  ${changes.forgotten} validators are known no more: ${PRUNE}`]),
    `  ${documents.written} documents ${ruling.dryRun ? "would be written" : "were written"}`,
    ...(skipped === null ? [] : [`  not published yet: ${skipped}`]),
  ].join("\n");
}

const PRUNE = "their documents stay until `generate rebuild --prune`";

function toOutcome({ observation, leavesOut, dryRun }: Ruled): string[] {
  if (leavesOut)
    return [`  it ${dryRun ? "would be left out" : "is left out now"}, for it cannot be read`];
  if (observation === null) return [];
  if (observation.accepted) return [dryRun ? "  it would count" : "  it counts now"];
  return [`  ${dryRun ? "it would not count" : "it does not count now"}: ${observation.reason}`];
}

function toList(what: string, events: readonly ExplainedEvent[]): string[] {
  if (events.length === 0) return [];
  const named = events
    .slice(0, EVENTS_NAMED)
    .map(
      (event) =>
        `    ${event.id}  ${toTitle(event)} of ${event.votePubkey} in epoch ${event.epoch}`,
    );
  const more = events.length > named.length ? [`    and ${events.length - named.length} more`] : [];
  return [`  ${what}:`, ...named, ...more];
}
