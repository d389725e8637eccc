import { describe, expect, it } from "vitest";
import { compareLists, type Likeness } from "../../generator/agree/likeness.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { toTotals } from "../../generator/chain/list-totals.ts";
import { slotAt } from "../story/clock.ts";
import { checkBy, snapshotBy } from "../story/observations.ts";
import { crowd, type Fact } from "../story/validators.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;
const SOL = 1_000_000_000n;

interface Totals {
  rows?: number;
  stake?: bigint;
  more?: Fact[];
}

/** A holds all the stake, so that rows and stake can be changed apart from each other. */
const list = ({ rows = 100, stake = 100n * SOL, more = [] }: Totals = {}): Fact[] => [
  { name: "A", stake },
  ...crowd(rows - 1, { stake: 0n }),
  ...more,
];

const compare = (witnesses: readonly Witness[], by = 0): Likeness[] =>
  [checkBy, snapshotBy].map((observe) => {
    const entry = observe(MINUTE, witnesses, { by });
    return compareLists(entry, toTotals(entry.votes), readLists(entry, slotAt(MINUTE)));
  });

/** "lie": half the stake. "worse lie": a quarter of it. */
type Listed = "true" | "lie" | "worse lie" | "silent" | "no list" | "elsewhere" | "another epoch";

const WITNESSES: Record<Listed, Witness> = {
  true: { list: list() },
  lie: { list: list({ stake: 50n * SOL }) },
  "worse lie": { list: list({ stake: 25n * SOL }) },
  silent: SILENT,
  "no list": { list: null },
  elsewhere: { list: list(), ahead: 151 },
  "another epoch": { list: list(), epoch: 1 },
};

describe("the entry's own list, the first one,", () => {
  it.each<[string, Listed[], Likeness]>([
    ["is alike where it is the only one", ["lie"], "alike"],
    ["is alike where both are", ["true", "true"], "alike"],
    ["is unlike where two differ", ["true", "lie"], "unlike"],
    ["is alike where the other of two is silent", ["true", "silent"], "alike"],
    ["is alike where the other of two gives no list", ["true", "no list"], "alike"],
    ["has too few beside it where the other of two is elsewhere", ["true", "elsewhere"], "too few"],
    [
      "has too few beside it where two are in different epochs",
      ["true", "another epoch"],
      "too few",
    ],
    ["is alike where two of three are", ["true", "true", "lie"], "alike"],
    ["is unlike where it is the one of three that lies", ["lie", "true", "true"], "unlike"],
    ["is unlike where three differ", ["true", "lie", "worse lie"], "unlike"],
    ["is alike where two of three are, one silent", ["true", "true", "silent"], "alike"],
    ["is unlike where two of three differ, one silent", ["true", "lie", "silent"], "unlike"],
    [
      "has too few beside it where two of three are silent",
      ["true", "silent", "silent"],
      "too few",
    ],
    [
      "is alike where it does not count and two of three do",
      ["elsewhere", "true", "true"],
      "alike",
    ],
    ["is unlike where it counts alone and two of three lie", ["true", "lie", "lie"], "unlike"],
    ["is alike where three of four are", ["true", "lie", "true", "true"], "alike"],
    ["is unlike where four are two and two", ["true", "true", "lie", "lie"], "unlike"],
    ["is unlike where two of four are, one silent", ["true", "true", "lie", "silent"], "unlike"],
    [
      "has too few beside it where two of four are silent",
      ["true", "true", "silent", "silent"],
      "too few",
    ],
  ])("%s", (_, listed, likeness) => {
    expect(compare(listed.map((one) => WITNESSES[one]))).toEqual([likeness, likeness]);
  });
});

describe("two lists are alike", () => {
  const others = Array.from({ length: 50 }, (_, index) => `other ${index}`);
  it.each<[string, { own: Totals; other?: Totals }, boolean]>([
    ["with 2 % more accounts", { own: { rows: 102 } }, true],
    ["but not with 3 % more", { own: { rows: 103 } }, false],
    ["with 2 % fewer", { own: { rows: 98 } }, true],
    ["but not with 3 % fewer", { own: { rows: 97 } }, false],
    ["with one account more than few", { own: { rows: 6 }, other: { rows: 5 } }, true],
    ["but not with two", { own: { rows: 7 }, other: { rows: 5 } }, false],
    ["with 2 % more stake", { own: { stake: 102n * SOL } }, true],
    ["but not with a lamport more than that", { own: { stake: 102n * SOL + 1n } }, false],
    ["with 2 % less", { own: { stake: 98n * SOL } }, true],
    ["but not with a lamport less than that", { own: { stake: 98n * SOL - 1n } }, false],
    [
      "whatever delinquent accounts without stake one of them has",
      { own: { more: others.map((name) => ({ name, delinquent: true, stake: 0n })) } },
      true,
    ],
    [
      "but not whatever delinquent accounts with stake",
      { own: { more: others.map((name) => ({ name, delinquent: true, stake: 1n })) } },
      false,
    ],
  ])("%s", (_, { own, other = {} }, isAlike) => {
    const likeness = isAlike ? "alike" : "unlike";
    const witnesses = [own, other].map((totals) => ({ list: list(totals) }));
    expect(compare(witnesses)).toEqual([likeness, likeness]);
  });
});
