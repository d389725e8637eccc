import type { StoryItem } from "../../story/fold.ts";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../../generator/entries/entry.ts";
import { minutes, slotAt } from "../../story/clock.ts";
import { ruling } from "../../story/fold.ts";
import { check, snapshot } from "../../story/observations.ts";
import { acceptanceOf } from "../../story/outcome.ts";
import { panelCheck, panelSnapshot } from "../../story/panels.ts";
import { crowd, type Fact } from "../../story/validators.ts";

const ten = crowd(10);
const seven = ten.slice(0, 7);
const first = snapshot(0, ten);
const hundred = crowd(100);
const blind = (facts: Fact[], count: number) =>
  facts.map((fact, index) => (index < count ? { ...fact, bps: null } : fact));
const blinded = blind(ten, 10);
/** One has all the stake, so the others can come and go. */
const whale = (others: number) => [
  { name: "whale", stake: 1_000_000_000_000n },
  ...crowd(others, { stake: 0n }),
];
const accepted = (entry: Entry): StoryItem[] => [ruling(entry, { verdict: "accept" }), entry];

it.each<[string, StoryItem[], string]>([
  ["with 80 % of the rows", [first, check(1, ten.slice(0, 8))], "++"],
  ["with fewer", [first, check(1, seven)], "+-"],
  [
    "with 80 % of the rows, nearly all without stake",
    [snapshot(0, whale(99)), check(1, whale(79))],
    "++",
  ],
  ["with 125 % of the rows", [snapshot(0, whale(99)), check(1, whale(124))], "++"],
  ["with more, of the same stake", [snapshot(0, whale(99)), check(1, whale(125))], "+-"],
  ["with one more, of a few", [snapshot(0, whale(1)), check(1, whale(2))], "++"],
  ["with fewer, and all of the stake", [snapshot(0, whale(99)), check(1, whale(78))], "+-"],
  ["with 80 % of the stake", [first, check(1, crowd(10, { stake: 800_000_000n }))], "++"],
  ["with less", [first, check(1, crowd(10, { stake: 799_999_999n }))], "+-"],
  [
    "without a commission in 5 % of the rows",
    [snapshot(0, hundred), check(1, blind(hundred, 5))],
    "++",
  ],
  ["in more", [snapshot(0, hundred), check(1, blind(hundred, 6))], "+-"],
  ["in all, as before", [snapshot(0, blinded), check(1, blinded)], "++"],
  ["of nothing at all", [snapshot(0, [])], "-"],
  ["that an operator accepts", [first, ...accepted(check(1, seven))], "++"],
  ["that an operator ignores", [first, ruling(check(1, ten)), check(1, ten)], "+-"],
  [
    "like one without rates that was accepted",
    [first, ...accepted(check(1, blinded)), check(2, blinded)],
    "+++",
  ],
])("an observation beside what was accepted before %s", (_, entries, taken) => {
  expect(acceptanceOf(...entries)).toBe(taken);
});

const SEVEN = 700_000_000n;
const rich = (count: number, sol: bigint) => crowd(count, { stake: sol * 1_000_000_000n });
const TEN = "-".repeat(10);
const NEVER = "-".repeat(30);
const each = (last: number, entry: (minute: number) => Entry) => [
  first,
  ...minutes(1, last).map(entry),
];
const whole = (minute: number) => check(minute, ten);
/** Another one in the sixth minute. */
const once = (last: number, other: (minute: number) => Entry) =>
  each(last, (minute) => (minute === 6 ? other(minute) : check(minute, seven)));
const ofHundred = (last: number, others: (minute: number) => number) => [
  snapshot(0, whale(99)),
  ...minutes(1, last).map((minute) => check(minute, whale(others(minute)))),
];

it.each<[string, StoryItem[], string]>([
  [
    "when it stays for ten observations over ten minutes",
    each(12, (minute) => check(minute, seven)),
    `${TEN}++`,
  ],
  ["not of ten within nine minutes", each(11, (minute) => check(minute * 0.8, seven)), `${TEN}-`],
  [
    "not of nine, however long they take",
    each(10, (minute) => check(minute * 3, seven)),
    `${"-".repeat(9)}+`,
  ],
  ["not when all answer once", once(15, whole), `-----+${"-".repeat(9)}`],
  [
    "not when that is refused for its slot",
    once(12, (m) => check(m, ten, { slot: 1 })),
    `${TEN}--`,
  ],
  [
    "not when an operator accepts another",
    [...once(12, whole), ...accepted(check(6, ten)).slice(0, 1)],
    `-----+------`,
  ],
  [
    "when a single row more is missing",
    ofHundred(11, (minute) => (minute < 6 ? 70 : 69)),
    `${TEN}+`,
  ],
  [
    "not with other rows each time, of the same stake",
    ofHundred(30, (minute) => (minute % 2 ? 65 : 70)),
    NEVER,
  ],
  [
    "not when its stake changes",
    each(20, (m) => check(m, crowd(10, { stake: SEVEN >> BigInt(m) }))),
    `${TEN}${TEN}`,
  ],
  [
    "when one account comes to it",
    [
      snapshot(0, rich(11, 7n)),
      ...minutes(1, 11).map((m) => check(m, m < 8 ? rich(6, 7n) : rich(7, 6n))),
    ],
    `${TEN}+`,
  ],
  ["not of a stuck node", each(30, (minute) => check(minute, seven, { slot: slotAt(1) })), NEVER],
  ["when commissions cannot be read", each(13, (minute) => check(minute, blinded)), `${TEN}+++`],
  [
    "not when others cannot each time",
    each(30, (minute) => check(minute, blind(ten, minute % 2 ? 9 : 5))),
    NEVER,
  ],
  ["never when it is a list of nothing", each(30, (minute) => check(minute, [])), NEVER],
])("an observation that was refused is the new reference %s", (_, entries, taken) => {
  expect(acceptanceOf(...entries)).toBe(`+${taken}`);
});

describe("a set that shrinks for good is believed within a quarter of an hour", () => {
  // Snapshots list dead accounts (delinquent, no stake); some nodes' checks do not.
  const dead = (fact: Fact): Fact => ({ ...fact, stake: 0n, delinquent: true });
  const deadUpTo = (count: number, facts = hundred) =>
    facts.map((fact, index) => (index < count ? dead(fact) : fact));
  const poor = crowd(100, { stake: 700_000_000n });
  const isLiving = ({ stake, delinquent }: Fact) => stake !== 0n || delinquent !== true;
  const watch = (before: Fact[], after: Fact[], change = (entry: Entry): Entry => entry) =>
    minutes(0, 59).map((minute) => {
      const facts = minute < 10 ? before : after;
      const entry =
        minute % 10 === 0 ? snapshot(minute, facts) : check(minute, facts.filter(isLiving));
      return minute < 10 ? entry : change(entry);
    });
  const restarted = (entry: Entry) =>
    ({
      ...entry,
      slot: slotAt(0) - 100_000 + ((Date.parse(entry.time) / 60_000) % 1000) * 10,
    }) as Entry;

  it.each<[string, StoryItem[]]>([
    ["30 of 100 that lose their stake and stop voting", watch(hundred, deadUpTo(30))],
    ["30 % of the stake, three dead accounts among it", watch(deadUpTo(3), deadUpTo(3, poor))],
    ["a restart with fewer validators", watch(hundred, deadUpTo(40), restarted)],
    ["commissions that vanish from the lists", watch(deadUpTo(5), deadUpTo(5, blind(hundred, 40)))],
  ])("%s", (_, entries) => {
    expect(acceptanceOf(...entries)).toMatch(/^\+{10}[+-]*-[+-]{0,15}\+{34,}$/);
  });

  it("at once where two of three witnesses show it, and never the old set that the third goes on showing", () => {
    const entries = minutes(0, 59).map((minute) => {
      const facts =
        minute < 10 ? [hundred, hundred, hundred] : [deadUpTo(30), deadUpTo(30), hundred];
      return (minute % 10 === 0 ? panelSnapshot : panelCheck)(minute, [], {
        of: 3,
        by: minute % 3,
        facts,
      });
    });
    const taken = acceptanceOf(...entries);
    const between = (from: number, to: number, isLiar: boolean) =>
      minutes(from, to).flatMap((minute) =>
        (minute % 3 === 2) === isLiar ? taken.charAt(minute) : [],
      );
    expect(new Set(between(10, 59, false))).toEqual(new Set(["+"]));
    expect(new Set(between(10, 59, true))).toEqual(new Set(["-"]));
  });
});

it("accounts that were missing for long come back at once", () => {
  const shrunk = minutes(1, 12).map((minute) => check(minute, whale(50)));
  expect(acceptanceOf(snapshot(0, whale(99)), ...shrunk, check(13, whale(99)))).toBe(
    `+${"-".repeat(10)}+++`,
  );
  // Those without a vote or a stake are not counted among them.
  const dead = crowd(200, { stake: 0n, delinquent: true });
  const revived = crowd(200, { stake: 0n });
  expect(
    acceptanceOf(
      snapshot(0, [...hundred, ...dead.slice(100)]),
      check(1, [...hundred, ...revived.slice(100)]),
    ),
  ).toBe("+-");
});

it("a witness that adds accounts without stake makes no other's list too short", () => {
  const more = [...hundred, ...crowd(130, { stake: 0n }).slice(100)];
  const entries = minutes(0, 39).map((minute) => {
    return panelCheck(minute, hundred, {
      of: 4,
      by: minute % 4,
      facts: [undefined, undefined, undefined, more],
    });
  });
  expect(acceptanceOf(...entries)).toBe("+++-".repeat(10));
});

it("one of two witnesses that adds dead accounts, a few at a time, makes no other's list too short", () => {
  const lie = (minute: number) =>
    crowd(100 + 10 * minute, { stake: 0n, delinquent: true }).slice(100);
  const entries = minutes(0, 39).map((minute) => {
    const facts = [hundred, [...hundred, ...lie(minute)]];
    return panelSnapshot(minute, [], { of: 2, by: minute % 2, facts });
  });
  expect(acceptanceOf(...entries)).toBe("+".repeat(40));
});
