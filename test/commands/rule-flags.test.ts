import { expect, it } from "vitest";
import { parseRuleFlags, describeRuling, type RuleFlags } from "../../generator/commands/rule.ts";
import { createReport } from "../../generator/service/report.ts";
import { RAW_TEXT_MAX } from "../../generator/entries/entry.ts";

const reason = "known departure";

const long = "x".repeat(RAW_TEXT_MAX);
it("flags ask for an observation or an event to be accepted or ignored, for a reason as long as may be", () => {
  const subject = { of: "observation", key: "123-456" };
  const flags = { observation: "123-456", accept: true, reason };
  expect(parseRuleFlags(flags)).toEqual({ subject, verdict: "accept", reason });
  const event = { of: "event", id: "ID" };
  const others = { event: "ID", ignore: true, reason: long };
  expect(parseRuleFlags(others)).toEqual({ subject: event, verdict: "ignore", reason: long });
});

const accepted = { event: "ID", accept: true };
it.each<[string, RuleFlags, RegExp]>([
  ["no subject", { accept: true, reason }, /--observation NUMBER or --event ID/],
  [
    "two subjects",
    { ...accepted, observation: "KEY", reason },
    /--observation NUMBER or --event ID/,
  ],
  ["no verdict", { event: "ID", reason }, /--accept or --ignore/],
  ["both verdicts", { ...accepted, ignore: true, reason }, /--accept or --ignore/],
  ["an empty reason", { ...accepted, reason: "" }, /--reason must be readable text/],
  [
    "a reason of which nothing can be seen",
    { ...accepted, reason: " \n\u200B" },
    /--reason must be readable text/,
  ],
  ["a reason too long", { ...accepted, reason: `${long}x` }, /513 characters.*512 at most/],
])("flags with %s are wrong use", (_, flags, why) => {
  expect(parseRuleFlags(flags)).toEqual({ wrong: expect.stringMatching(why) as unknown });
});

it.each([
  [true, true, /would be ignored.*\n.*dry run, nothing was written.*\n {2}it would count$/m],
  [true, false, /\n {2}it would not count: ignored by a ruling$/m],
  [false, true, /\n {2}it counts now$/m],
  [false, false, /\n {2}it does not count now: ignored by a ruling$/m],
])("dry run %s, accepted %s: says what came of an observation", (dryRun, accepted, expected) => {
  const why = "ignored by a ruling";
  const observation = accepted
    ? ({ accepted } as const)
    : ({ accepted: false, reason: why } as const);
  const changes = { gone: [], come: [], moved: [], forgotten: 0 };
  const subject = { of: "observation", first: "0000000123", last: "0000000123" } as const;
  const said = {
    subject,
    verdict: "ignore",
    reason,
    entry: "0007",
    nothing: null,
    leavesOut: false,
  } as const;
  const ruling = { ...said, dryRun, observation, changes };
  expect(describeRuling({ ...createReport("rule", "mainnet"), ruling })).toMatch(expected);
});
