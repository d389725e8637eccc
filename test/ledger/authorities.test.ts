import { describe, expect, it } from "vitest";
import {
  foldAuthorities,
  handOver,
  isAuthority,
} from "../../generator/ledger/proof/authorities.ts";
import type { Authority } from "../../generator/ledger/records.ts";
import { createTouched } from "../../generator/ledger/touched.ts";
import { validator } from "../documents/fixtures.ts";
import { FIRST_EPOCH, timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { validatorOf } from "../story/outcome.ts";
import { keyOf, withA } from "../story/validators.ts";

type Span = [key: string, from: number, to: number];
const toAuthority = ([key, from, to]: Span): Authority => ({ key, from, to, covered: [] });
const holder = (...spans: Span[]) => validator({ name: "A", authorities: spans.map(toAuthority) });
const spansOf = ({ authorities }: ReturnType<typeof holder>) =>
  authorities.map(({ key, from, to }) => `${key} ${from} ${to}`).join(", ");

/** A minute, and the key that is agreed then with its slots `from` and `until`. */
type Reading = [minute: number, key: string, from: number, until: number];
const changing: Reading[] = [
  [0, "a", 10, 10],
  [1, "b", 31, 30],
];

describe("the authority of a vote account", () => {
  interface Circumstances {
    panelSize?: number;
    /** One of two says it, and the other has been silent since this minute. */
    silentSince?: number;
  }

  function hear(readings: readonly Reading[], { panelSize = 3, silentSince }: Circumstances = {}) {
    const { ledger } = foldStory(snapshot(0, withA()));
    const isAlone = silentSince !== undefined;
    if (isAlone) ledger.silent = { endpoint: "http://silent.example", since: timeAt(silentSince) };
    const touched = readings.map(([minute, key, from, until]) => {
      const moment = { time: timeAt(minute), slot: until, epoch: FIRST_EPOCH };
      const step = { ledger, touched: createTouched(), moment, moments: new Map() };
      foldAuthorities(step, {
        panelSize,
        agreed: [{ vote: keyOf("A"), key, from, until, isAlone }],
      });
      return step.touched.profiles.size === 1;
    });
    return { subject: validatorOf({ ledger }, "A"), touched };
  }

  it.each<[string, Reading[], string, boolean[], Circumstances?]>([
    ["what is agreed", [[0, "a", 14, 10]], "a 14 10", [true]],
    [
      "the same while it is read",
      [
        [0, "a", 10, 10],
        [1, "a", 31, 30],
      ],
      "a 10 30",
      [true, false],
    ],
    ["another that is read later", changing, "a 10 10, b 31 30", [true, true]],
    [
      "not changed by what was read before",
      [
        [0, "a", 10, 10],
        [1, "b", 8, 8],
      ],
      "a 10 10",
      [true, false],
    ],
    [
      "no former one by one reading",
      [...changing, [2, "a", 50, 50]],
      "a 10 10, b 31 30",
      [true, true, false],
    ],
    [
      "a former one by two readings two minutes apart",
      [...changing, [2, "a", 50, 50], [4, "a", 70, 70]],
      "a 10 10, b 31 30, a 50 70",
      [true, true, false, true],
    ],
    [
      "no other that a witness alone says once",
      changing,
      "a 10 10",
      [true, false],
      { panelSize: 1 },
    ],
    [
      "another that a witness alone says twice, half a minute apart",
      [...changing, [1.5, "b", 40, 40]],
      "a 10 10, b 31 40",
      [true, false, true],
      { panelSize: 1 },
    ],
    [
      "unknown while one of two has been silent for less than three minutes",
      [[2.9, "a", 10, 10]],
      "",
      [false],
      { panelSize: 2, silentSince: 0 },
    ],
    [
      "what one of two says after that",
      [[3, "a", 10, 10]],
      "a 10 10",
      [true],
      { panelSize: 2, silentSince: 0 },
    ],
  ])("is %s", (_, readings, spans, touched, circumstances) => {
    const heard = hear(readings, circumstances);
    expect(spansOf(heard.subject)).toEqual(spans);
    expect(heard.touched).toEqual(touched);
  });

  it("may still be the one before, where a single witness dates the next one back", () => {
    expect(
      isAuthority(
        hear([
          [0, "a", 10, 10],
          [1, "b", 31, 11],
        ]).subject,
        "a",
        28,
      ),
    ).toBe(true);
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
])(
  "who may have signed at a slot at %i the first: %s, the second: %s, never a stranger",
  (slot, first, second) => {
    const may = ["first", "second", "stranger"].map((key) => isAuthority(subject, key, slot));
    expect(may).toEqual([first, second, false]);
  },
);

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

  it.each<[string, number, string]>([
    ["outdated", 333, "first 10 33, second 33 33"],
    ["a way back", 334, "first 10 33, second 33 33, first 334 334"],
  ])("may be older than readings of the old one: they are %s until slot %i", (_, until, spans) => {
    const subject = holder(["first", 10, until]);
    handOver(subject, toSecond);
    expect(spansOf(subject)).toBe(spans);
  });

  it("leaves whoever was read again long after, with what is searched, from the way back on", () => {
    const subject = holder(["first", 10, 500]);
    subject.authorities[0]!.covered = [[0, 800]];
    handOver(subject, toSecond);
    expect(["first", "second"].map((key) => isAuthority(subject, key, 600))).toEqual([true, false]);
    expect(subject.authorities.map(({ covered }) => covered)).toEqual([[[0, 800]], [], [[0, 800]]]);
    handOver(subject, { slot: 60, by: "second", to: "first" });
    expect(spansOf(subject)).toBe("first 10 33, second 33 60, first 60 500");
  });

  it("can go back in the same slot", () => {
    const subject = holder(FIRST);
    handOver(subject, toSecond);
    handOver(subject, { slot: 33, by: "second", to: "first" });
    expect(["first", "second"].map((key) => isAuthority(subject, key, 60))).toEqual([true, false]);
  });
});
