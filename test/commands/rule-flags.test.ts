import { expect, it } from "vitest";
import { parseRuleFlags, type RuleFlags } from "../../generator/commands/rule.ts";
import { RAW_TEXT_MAX } from "../../generator/entries/entry.ts";

const reason = "known departure";

it.each<[string, RuleFlags, object]>([
  [
    "an observation accepted",
    { observation: "KEY", accept: true, reason },
    { subject: { of: "observation", key: "KEY" }, verdict: "accept", reason },
  ],
  [
    "an event ignored",
    { event: "ID", ignore: true, reason },
    { subject: { of: "event", id: "ID" }, verdict: "ignore", reason },
  ],
  [
    "the longest reason",
    { event: "ID", ignore: true, reason: "x".repeat(RAW_TEXT_MAX) },
    { subject: { of: "event", id: "ID" }, verdict: "ignore", reason: "x".repeat(RAW_TEXT_MAX) },
  ],
])("flags ask for %s", (_, flags, wanted) => {
  expect(parseRuleFlags(flags)).toEqual(wanted);
});

it.each<[string, RuleFlags, RegExp]>([
  ["no subject", { accept: true, reason }, /one of --observation KEY and --event ID/],
  [
    "two subjects",
    { observation: "KEY", event: "ID", accept: true, reason },
    /one of --observation KEY and --event ID/,
  ],
  ["no verdict", { event: "ID", reason }, /one of --accept and --ignore/],
  ["both verdicts", { event: "ID", accept: true, ignore: true, reason }, /one of --accept and --ignore/],
  ["an empty reason", { event: "ID", accept: true, reason: "" }, /--reason must have a text/],
  [
    "a reason of which nothing can be seen",
    { event: "ID", accept: true, reason: " \n\u200B" },
    /--reason must have a text/,
  ],
  [
    "a reason too long",
    { event: "ID", accept: true, reason: "x".repeat(RAW_TEXT_MAX + 1) },
    /513 characters.*512 at most/,
  ],
])("flags with %s are wrong use", (_, flags, why) => {
  expect(parseRuleFlags(flags)).toEqual({ wrong: expect.stringMatching(why) as unknown });
});
