import { describe, expect, it } from "vitest";
import { agreeOnAuthority, handOver, hearAuthority, isAuthority } from "../../generator/ledger/authorities.ts";
import type { Authority } from "../../generator/ledger/records.ts";
import type { Panel } from "../../generator/ledger/witnesses.ts";
import { validator } from "../documents/fixtures.ts";
import { timeAt } from "./story.ts";

const panel: Panel = { witnesses: [0, 1, 2], majority: 2, liarsMost: 1 };
type Span = [key: string, from: number, to: number];
const toAuthority = ([key, from, to]: Span): Authority => ({ key, from, to, covered: [] });
const holder = (...spans: Span[]) => validator({ name: "A", authorities: spans.map(toAuthority) });
const spansOf = ({ authorities }: ReturnType<typeof holder>) =>
  authorities.map(({ key, from, to }) => `${key} ${from} ${to}`).join(", ");

describe("the authority of a vote account", () => {
  /** Rounds of three witnesses, each "key slot", and whether the authority changed. */
  const hear = (...rounds: string[]) => {
    const subject = holder();
    const isNew = rounds.map((round, minute) => {
      for (const [witness, word] of round.split(", ").entries()) {
        const [key = "", slot] = word.split(" ");
        hearAuthority(subject, { witness, key, moment: { time: timeAt(minute), slot: Number(slot), epoch: 0 } });
      }
      return agreeOnAuthority(subject, panel);
    });
    return { subject, isNew };
  };

  it.each<[string, string[], string, boolean[]]>([
    ["what a majority reads, from the slot by which an honest one has", ["a 10, a 14, b 12"], "a 14 10", [true]],
    ["unknown while each reads another", ["a 10, b 14, c 12"], "", [false]],
    ["the same while a majority reads it", ["a 10, a 10, a 10", "a 30, b 30, a 31"], "a 10 30", [true, false]],
    ["another that a majority reads", ["a 10, a 10, a 10", "b 30, b 31, a 30"], "a 10 10, b 31 30", [true, true]],
    ["not changed by what was read before", ["a 10, a 10, a 10", "b 8, b 9, b 7"], "a 10 10", [true, false]],
  ])("is %s", (_, rounds, spans, isNew) => {
    const heard = hear(...rounds);
    expect(spansOf(heard.subject)).toEqual(spans);
    expect(heard.isNew).toEqual(isNew);
  });

  it("may still be the one before, where a single witness dates the next one back", () => {
    expect(isAuthority(hear("a 10, a 10, a 10", "a 10, b 31, b 11").subject, "a", 28)).toBe(true);
  });
});

const FIRST: Span = ["first", 10, 20];
const SECOND: Span = ["second", 40, 50];

const subject = holder(FIRST, SECOND);

it.each([
  [1, true, false],
  [15, true, false],
  [20, true, true],
  [40, true, true],
  [45, false, true],
  [90, false, true],
])("who may have signed at a slot at %i the first: %s, the second: %s, never a stranger", (slot, first, second) => {
  const may = ["first", "second", "stranger"].map((key) => isAuthority(subject, key, slot));
  expect(may).toEqual([first, second, false]);
});

describe("a proved hand-over at slot 33", () => {
  const toSecond = { slot: 33, by: "first", to: "second" };

  it.each<[string, Span[], string]>([
    ["names one that nobody has read yet", [FIRST], "first 10 33, second 33 33"],
    ["names one from before anybody looked", [SECOND], "first 33 33, second 33 50"],
  ])("%s, once", (_, before, spans) => {
    const subject = holder(...before);
    expect(handOver(subject, toSecond)).toBe(true);
    expect(handOver(subject, toSecond)).toBe(false);
    expect(spansOf(subject)).toEqual(spans);
    expect(isAuthority(subject, "first", 36)).toBe(false);
  });

  it("can go back in the same slot", () => {
    const subject = holder(FIRST);
    handOver(subject, toSecond);
    handOver(subject, { slot: 33, by: "second", to: "first" });
    expect(["first", "second"].map((key) => isAuthority(subject, key, 60))).toEqual([true, false]);
  });
});
