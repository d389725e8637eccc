import { describe, expect, it } from "vitest";
import { agree } from "../../generator/agree/agree.ts";
import type { CheckEntry } from "../../generator/entries/entry.ts";
import { checkBy } from "../story/observations.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

type Answer = "lists" | "silent" | "no list" | "elsewhere" | "another epoch";

const WITNESSES: Record<Answer, Witness> = {
  lists: { list: [] },
  silent: SILENT,
  "no list": { list: null },
  elsewhere: { list: [], ahead: 9_000 },
  "another epoch": { list: [], epoch: 1 },
};

const checkOf = (answers: readonly Answer[]) =>
  checkBy(
    40,
    answers.map((answer) => WITNESSES[answer]),
  );

function silenceOf(entry: CheckEntry): string | null {
  const agreed = agree(entry, { clusterSlot: null, acceptedSlot: 0, isWhole: false });
  return agreed.kind === "check" ? agreed.reading.silence : "no check";
}

describe("changes can be confirmed", () => {
  it.each<[string, Answer[], boolean]>([
    ["by the only witness", ["lists"], true],
    ["not where it is silent", ["silent"], false],
    ["not where it gives no list", ["no list"], false],
    ["by two", ["lists", "lists"], true],
    ["by one of two, which decides alone", ["silent", "lists"], true],
    ["not where both are silent", ["silent", "no list"], false],
    ["by three", ["lists", "lists", "lists"], true],
    ["by two of three", ["lists", "silent", "lists"], true],
    ["not by one of three", ["silent", "lists", "silent"], false],
    ["not where two of three give no list", ["no list", "lists", "no list"], false],
    ["by three of four", ["lists", "lists", "lists", "silent"], true],
    ["not by two of four", ["lists", "lists", "silent", "silent"], false],
    ["by three of which one is elsewhere: it is not silent", ["elsewhere", "lists", "lists"], true],
    ["by three that contradict each other", ["elsewhere", "another epoch", "lists"], true],
  ])("%s", (_, answers, canConfirm) => {
    expect(silenceOf(checkOf(answers)) === null).toBe(canConfirm);
  });

  it("not, and the status says how many are silent and why", () => {
    const entry = checkOf(["silent", "lists", "silent", "lists"]);
    const panel = entry.panel.map((row, witness) =>
      row.reason === null ? row : { ...row, reason: `http://witness-${witness}.example: 503` },
    );
    expect(silenceOf({ ...entry, panel })).toBe(
      "2 of 4 witnesses silent, so that no change can be confirmed: " +
        "http://witness-0.example: 503; http://witness-2.example: 503",
    );
  });
});
