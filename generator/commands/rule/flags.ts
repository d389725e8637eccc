import { RAW_TEXT_MAX, type RulingEntry } from "../../entries/entry.ts";
import { toReason } from "../../contract/strangers-text.ts";
import type { SubjectWanted } from "../../service/rule/subject.ts";

/** What the command line gives. */
export interface RuleFlags {
  observation?: string;
  event?: string;
  accept?: boolean;
  ignore?: boolean;
  reason: string;
}

/** The ruling that flags ask for, or what is wrong with them. */
export function parseRuleFlags(
  flags: RuleFlags,
): { subject: SubjectWanted; verdict: RulingEntry["verdict"]; reason: string } | { wrong: string } {
  const { observation, event, accept = false, ignore = false, reason } = flags;
  if ((observation === undefined) === (event === undefined))
    return { wrong: "give one of --observation KEY and --event ID: what the ruling is about" };
  if (accept === ignore) return { wrong: "give one of --accept and --ignore: what is to become of it" };
  if (toReason(reason) === null)
    return { wrong: "--reason must have a text that can be read: status.json publishes it" };
  if (reason.length > RAW_TEXT_MAX)
    return { wrong: `--reason has ${reason.length} characters: it must have ${RAW_TEXT_MAX} at most` };
  const subject: SubjectWanted =
    event === undefined ? { of: "observation", key: observation ?? "" } : { of: "event", id: event };
  return { subject, verdict: accept ? "accept" : "ignore", reason };
}
