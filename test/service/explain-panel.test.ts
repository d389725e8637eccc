import { afterEach, describe, expect, it } from "vitest";
import { toText } from "../../generator/commands/explain.ts";
import type { Entry, ConfirmEntry } from "../../generator/entries/entry.ts";
import { look } from "../ledger/mev-facts.ts";
import { endpointOf, panelCheck, panelConfirm, panelSnapshot, type Held } from "../ledger/panel-story.ts";
import { keyOf, slotAt, tell, withA } from "../ledger/story.ts";
import { explainStory } from "./explaining.ts";
import { explainAs, openToldJournal, type ToldJournal } from "./told-journal.ts";

const authority = keyOf("authority");
const full = (minute: number, bps: number, ...held: Held[]) =>
  panelSnapshot(minute, withA({ bps }), { of: 3, held, authority });
const check = (minute: number, bps: number, by: number) => panelCheck(minute, withA({ bps }), { of: 3, by });

const begin = [full(0, 500), panelConfirm(0.01, [500, 500, 500])];
const seen = check(2, 9_500, 1);
const OLD = "votes: old account: old";
const NEW = "votes: new account: new";

describe("behind a change that a panel decided about are", () => {
  it("the word of each witness, in the second reading and in the one that showed the old value to most", () => {
    expect(explainStory([...begin, check(1, 500, 0), seen, panelConfirm(2.02, [500, 9_500, 9_500])])).toEqual([
      `before confirm 0.01 ${OLD} ${OLD} ${OLD}`,
      "between check 1 votes: old",
      "first check 2 votes: new",
      `second confirm 2.02 ${OLD} ${NEW} ${NEW}`,
    ]);
  });

  it("a snapshot's accounts, which were the reason to ask", () => {
    const silent = "votes: nothing account: nothing";
    expect(
      explainStory([...begin, full(10, 500, 9_500, "silent", 9_500), panelConfirm(10.02, [9_500, "silent", 9_500])]),
    ).toEqual([
      `before confirm 0.01 ${OLD} ${OLD} ${OLD}`,
      "first snapshot 10 votes: old account: new account: nothing account: new",
      `second confirm 10.02 ${NEW} ${silent} ${NEW}`,
    ]);
  });

  it("a second reading that denied it before, as the last that showed the old value to most", () => {
    const denied = panelConfirm(2.02, [500, 500, 500]);
    const confirmed = panelConfirm(3.02, [9_500, 9_500, "silent"]);
    expect(explainStory([...begin, seen, denied, check(3, 9_500, 1), confirmed])).toEqual([
      `before confirm 2.02 ${OLD} ${OLD} ${OLD}`,
      "first check 3 votes: new",
      `second confirm 3.02 ${NEW} ${NEW} votes: nothing account: nothing`,
    ]);
  });

  it("of MEV the tip account as each of them reads it", () => {
    const story = [
      look(0, [{ now: 800 }, { now: 800 }, { now: 800 }]),
      look(130, [{ now: 10_000, before: 800 }, "silent", { now: 10_000, before: 800 }]),
    ];
    expect(explainStory(story)).toEqual([
      "before snapshot 0 tips: old tips: old tips: old",
      "first snapshot 130 tips: old tips: nothing tips: old tips: new tips: nothing tips: new",
    ]);
  });
});

describe("for a person an explanation", () => {
  let told: ToldJournal;
  afterEach(() => told.close());

  async function textOf(...entries: Entry[]): Promise<string> {
    told = await openToldJournal(...entries);
    return toText(await explainAs(told.command, tell(...entries).ledger.events[0]?.id ?? ""));
  }

  it("tells in a line each who said what, at which slot, and who said nothing", async () => {
    const confirmed = panelConfirm(2.02, [{ bps: 9_500, ahead: -7 }, 9_500, "silent"], authority);
    const answers: ConfirmEntry["answers"] = confirmed.answers.with(2, {
      ...{ endpoint: endpointOf(2), list: null },
      accounts: { state: "failed", reason: "HTTP status\u001b[2J 503" },
    });
    const text = await textOf(...begin, check(1, 500, 0), seen, { ...confirmed, answers });
    const values = `basisPoints 9500, percent null, withdrawAuthority ${authority}`;
    for (const [witness, slot] of [slotAt(2.02) - 7, slotAt(2.02)].entries())
      expect(text).toContain(
        `\n  ${endpointOf(witness)} at slot ${slot}: the new value, by the vote account itself: ${values}\n`,
      );
    expect(text).toContain(`  ${endpointOf(2)}: no answer: HTTP status`);
    expect(text).not.toContain("\u001b");
  });
});
