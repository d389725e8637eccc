import { describe, expect, it } from "vitest";
import { agreeOnBlockRevenue } from "../../generator/agree/block-revenue.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { slotAt } from "../story/clock.ts";
import { snapshotBy } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;

/** Basis points of A; null: unreadable. */
type Rate = number | null | "no account";
type Answer = Rate | { rate: Rate; ahead: number } | "silent" | "only a list";

function reading(answer: Answer): Witness {
  const list = ["B", "A"].map((name) => ({ name }));
  if (answer === "silent") return SILENT;
  if (answer === "only a list") return { list };
  const { rate, ahead } =
    typeof answer === "object" && answer !== null ? answer : { rate: answer, ahead: 0 };
  const accounts: Witness["accounts"] = {
    B: [500, null, keyOf("authority of B"), 1],
    A: rate === "no account" ? null : [500, null, keyOf("authority of A"), rate],
  };
  return { list, accounts, accountsAhead: ahead };
}

function agree(answers: readonly Answer[]) {
  const entry = snapshotBy(MINUTE, answers.map(reading));
  return agreeOnBlockRevenue(entry, readLists(entry, null));
}

/** As "50.00", "50.00, alone", "disputed" or "not known". */
function toText(answers: readonly Answer[]): string {
  const agreed = agree(answers).at(-1);
  if (agreed === null || agreed === undefined) return "not known";
  if (agreed === "disputed") return agreed;
  return `${(agreed.basisPoints / 100).toFixed(2)}${agreed.isAlone ? ", alone" : ""}`;
}

describe("the commission on block revenue is", () => {
  it.each<[string, Answer[], string]>([
    ["what the only witness reads", [5_000], "50.00"],
    ["none at all, which is a rate too", [0], "0.00"],
    ["at most the whole", [10_001], "100.00"],
    ["the whole, where one reads more than the whole", [10_001, 10_000], "100.00"],
    ["not known by one that does not answer", ["silent"], "not known"],
    ["not known by one that cannot be read", [null], "not known"],
    ["not known by one without the account", ["no account"], "not known"],
    ["what two read", [5_000, 5_000], "50.00"],
    ["disputed by two that read it apart", [5_000, 10_000], "disputed"],
    ["disputed by two a basis point apart", [5_000, 5_001], "disputed"],
    ["what one of two reads alone, the other silent", [5_000, "silent"], "50.00, alone"],
    ["what the second reads alone, the first silent", ["silent", 5_000], "50.00, alone"],
    ["not known by one of two, the other gives its list", [5_000, "only a list"], "not known"],
    ["not known by one of two, the other unreadable", [5_000, null], "not known"],
    ["not known by one of two, the other without the account", [5_000, "no account"], "not known"],
    [
      "not known by one of two, the other behind",
      [5_000, { rate: 5_000, ahead: -151 }],
      "not known",
    ],
    [
      "not known by one of two, the other far ahead",
      [5_000, { rate: 5_000, ahead: 601 }],
      "not known",
    ],
    ["not known where both are silent", ["silent", "silent"], "not known"],
    ["what two of three read, the first lying", [10_000, 5_000, 5_000], "50.00"],
    ["what two of three read, the last lying", [5_000, 5_000, 10_000], "50.00"],
    ["what two of three read, one silent", [5_000, "silent", 5_000], "50.00"],
    ["what two of three read, one unreadable", [null, 5_000, 5_000], "50.00"],
    ["what two of three read, one without the account", ["no account", 5_000, 5_000], "50.00"],
    ["disputed by a liar and an honest one of three", [10_000, 5_000, "silent"], "disputed"],
    ["disputed by three that differ", [1, 2, 3], "disputed"],
    ["not known by one of three", [5_000, "silent", "silent"], "not known"],
    ["not known by one of three, the others unreadable", [5_000, null, null], "not known"],
    ["what three of four read", [5_000, 10_000, 5_000, 5_000], "50.00"],
    ["what three of four read, one silent", [5_000, "silent", 5_000, 5_000], "50.00"],
    ["disputed by four that are two and two", [5_000, 5_000, 10_000, 10_000], "disputed"],
    [
      "not known by two of four, the others silent",
      [5_000, 5_000, "silent", "silent"],
      "not known",
    ],
  ])("%s", (_, answers, expected) => {
    expect(toText(answers)).toBe(expected);
  });

  it.each<[string, number, string]>([
    ["150 slots before the observation", -150, "50.00"],
    ["not 151 slots before it", -151, "not known"],
    ["600 slots after it, when a snapshot may end", 600, "50.00"],
    ["not 601 slots after it", 601, "not known"],
  ])("what the only witness reads %s", (_, ahead, expected) => {
    expect(toText([{ rate: 5_000, ahead }])).toBe(expected);
  });

  it.each<[string, number, string]>([
    ["150 slots from the others' median", 150, "50.00"],
    ["not 151 slots from it", 151, "disputed"],
  ])("what one that is needed reads %s", (_, ahead, expected) => {
    expect(toText([5_000, 10_000, { rate: 5_000, ahead }])).toBe(expected);
  });

  it("each vote account's own, in the order of the list", () => {
    const [ofB, ofA] = agree([5_000, 5_000, "silent"]);
    expect([ofB, ofA]).toMatchObject([{ basisPoints: 1 }, { basisPoints: 5_000 }]);
  });
});

describe("the earliest slot at which liars cannot have made it up is", () => {
  it.each<[string, [rate: Rate, ahead: number][], number]>([
    ["that of the only witness", [[5_000, 5]], 5],
    [
      "the later of two",
      [
        [5_000, 9],
        [5_000, 5],
      ],
      9,
    ],
    [
      "the second of three",
      [
        [5_000, 9],
        [5_000, 5],
        [5_000, 7],
      ],
      7,
    ],
    [
      "the second of four",
      [
        [5_000, 9],
        [5_000, 5],
        [5_000, 7],
        [5_000, 6],
      ],
      6,
    ],
    [
      "no liar's",
      [
        [10_000, 1],
        [5_000, 9],
        [5_000, 5],
      ],
      9,
    ],
  ])("%s", (_, answers, ahead) => {
    const agreed = agree(answers.map(([rate, own]) => ({ rate, ahead: own }))).at(-1);
    expect(agreed).toMatchObject({ basisPoints: 5_000, slot: slotAt(MINUTE) + ahead });
  });
});
