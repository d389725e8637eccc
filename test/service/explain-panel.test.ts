import { afterEach, describe, expect, it } from "vitest";
import { describeExplanation } from "../../generator/commands/explain.ts";
import type { Entry } from "../../generator/entries/entry.ts";
import { slotAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { checkByLists, type ListedRate, panelSnapshot } from "../story/panels.ts";
import { tipSnapshot } from "../story/tips.ts";
import { rest, withA } from "../story/validators.ts";
import { endpointOf } from "../story/witnesses.ts";
import { explainStory } from "./explaining.ts";
import { explainAs, openFilledJournal, type FilledJournal } from "./filled-journal.ts";

const lists = (minute: number, ...rates: ListedRate[]) => checkByLists(minute, rates, rest);
const begin = [panelSnapshot(0, withA(500), { of: 3 }), lists(1, 500, 500, 500)];
const BEFORE = "before check 1 votes: old votes: old votes: old";

describe("behind a change that a panel decided about are", () => {
  it("the answer of each witness, in the observation that showed and decided it and in the one before", () => {
    expect(
      explainStory([...begin, lists(2, 9_500, 500, 9_500), lists(3, 9_500, 9_500, 9_500)]),
    ).toEqual([BEFORE, "first check 2 votes: new votes: old votes: new"]);
  });

  it("the observation that confirmed what one of them showed first", () => {
    expect(
      explainStory([...begin, lists(2, 9_500, 500, "silent"), lists(3, 9_500, 9_500, "silent")]),
    ).toEqual([
      BEFORE,
      "first check 2 votes: new votes: old votes: nothing",
      "second check 3 votes: new votes: new votes: nothing",
    ]);
  });

  it("of MEV the tip account as each of them reads it", () => {
    const story = [
      tipSnapshot(0, [{ now: 800 }, { now: 800 }, { now: 800 }]),
      tipSnapshot(130, [{ now: 10_000, before: 800 }, "silent", { now: 10_000, before: 800 }]),
    ];
    expect(explainStory(story)).toEqual([
      "before snapshot 0 tips: old tips: old tips: old",
      "first snapshot 130 tips: old tips: nothing tips: old tips: new tips: nothing tips: new",
    ]);
  });
});

describe("for a person an explanation", () => {
  let filled: FilledJournal;
  afterEach(() => filled.close());

  async function textOf(...entries: Entry[]): Promise<string> {
    filled = await openFilledJournal(...entries);
    return describeExplanation(
      await explainAs(filled.command, foldStory(...entries).ledger.events[0]?.id ?? ""),
    );
  }

  it("shows in a line each which witness answered what, at which slot, and which did not answer", async () => {
    const decided = lists(2, 9_500, 9_500, "silent");
    const panel = decided.panel.with(2, {
      ...decided.panel[2]!,
      reason: "HTTP status\u001b[2J 503",
    });
    const text = await textOf(...begin, { ...decided, panel });
    for (const witness of [0, 1])
      expect(text).toContain(
        `\n  ${endpointOf(witness)} at slot ${slotAt(2)}: the new value, by the list of vote accounts: basisPoints 9500, percent null, `,
      );
    expect(text).toContain(`  ${endpointOf(2)}: no answer: HTTP status`);
    expect(text).toContain("first with the new value, and confirmed");
    expect(text).not.toContain("\u001b");
  });
});
