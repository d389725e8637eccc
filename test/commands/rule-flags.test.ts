import { expect, it } from "vitest";
import { parseRuleFlags, toText, type RuleFlags } from "../../generator/commands/rule.ts";
import { createReport } from "../../generator/service/report.ts";
import { RAW_TEXT_MAX } from "../../generator/entries/entry.ts";

const reason = "known departure";

const long = "x".repeat(RAW_TEXT_MAX);
const byEvent = { of: "event", id: "ID" };
const byKey = { of: "observation", key: "KEY" };

it.each<[string, RuleFlags, object]>([
  [
    "an observation accepted",
    { observation: "KEY", accept: true, reason },
    { subject: byKey, verdict: "accept", reason },
  ],
  ["an event ignored", { event: "ID", ignore: true, reason }, { subject: byEvent, verdict: "ignore", reason }],
  [
    "the longest reason",
    { event: "ID", ignore: true, reason: long },
    { subject: byEvent, verdict: "ignore", reason: long },
  ],
])("flags ask for %s", (_, flags, wanted) => {
  expect(parseRuleFlags(flags)).toEqual(wanted);
});

const accepted = { event: "ID", accept: true };
it.each<[string, RuleFlags, RegExp]>([
  ["no subject", { accept: true, reason }, /--observation KEY or --event ID/],
  ["two subjects", { ...accepted, observation: "KEY", reason }, /--observation KEY or --event ID/],
  ["no verdict", { event: "ID", reason }, /--accept or --ignore/],
  ["both verdicts", { ...accepted, ignore: true, reason }, /--accept or --ignore/],
  ["an empty reason", { ...accepted, reason: "" }, /--reason must be readable text/],
  ["a reason of which nothing can be seen", { ...accepted, reason: " \n\u200B" }, /--reason must be readable text/],
  ["a reason too long", { ...accepted, reason: `${long}x` }, /513 characters.*512 at most/],
])("flags with %s are wrong use", (_, flags, why) => {
  expect(parseRuleFlags(flags)).toEqual({ wrong: expect.stringMatching(why) as unknown });
});

it.each([
  [true, true, /would be ignored.*\n.*dry run, nothing was written.*\n {2}it would count$/m],
  [true, false, /\n {2}it would not count: ignored by a ruling$/m],
  [false, true, /\n {2}it counts now$/m],
  [false, false, /\n {2}it does not count now: ignored by a ruling$/m],
])("dry run %s, accepted %s: says what came of an observation", (dryRun, isAccepted, expected) => {
  const observation = isAccepted
    ? ({ accepted: true } as const)
    : ({ accepted: false, reason: "ignored by a ruling" } as const);
  const changes = { gone: [], come: [], moved: [], forgotten: 0 };
  const subject = { of: "observation", key: "KEY" } as const;
  const ruling = {
    subject,
    verdict: "ignore",
    reason,
    entry: "NAME",
    nothing: null,
    leavesOut: false,
    dryRun,
    observation,
    changes,
  } as const;
  expect(toText({ ...createReport("rule", "mainnet"), ruling: { ...ruling, changes } })).toMatch(expected);
});
