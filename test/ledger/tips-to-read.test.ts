import { describe, expect, it } from "vitest";
import type { Entry } from "../../generator/entries/entry.ts";
import { tipsToRead } from "../../generator/ledger/tips/tips.ts";
import { FIRST_EPOCH, SLOTS_IN_EPOCH } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { tipSnapshot, type TipReading } from "../story/tips.ts";
import { keyOf, rest, row } from "../story/validators.ts";
import { all } from "../story/witnesses.ts";

const settled = (size: number) => [
  tipSnapshot(0, all<TipReading>(size, { now: 800 })),
  tipSnapshot(110, all<TipReading>(size, { now: 800 })),
];
const NOT_READ = { state: "skipped", off: false } as const;

describe("what is asked", () => {
  const asked = (minute: number, ...entries: Entry[]) => {
    const { ledger } = foldStory(...entries);
    const { tips, controls } = tipsToRead(ledger, {
      epoch: FIRST_EPOCH + minute,
      votes: ["A", "crowd 0"].map(keyOf),
    });
    const toText = ({ vote, epoch }: { vote: string; epoch: number }) =>
      `${vote === keyOf("A") ? "A" : "crowd 0"} ${epoch - FIRST_EPOCH}`;
    return { tips: tips.map(toText), controls: controls.map(toText) };
  };
  const begin = settled(1);

  it.each<[string, number, Entry[], string[], string[]]>([
    ["both epochs of all, at the beginning", 0, [], ["A -1", "A 0", "crowd 0 -1", "crowd 0 0"], []],
    ["nobody whom the ledger does not know", 0, [snapshot(0, rest.slice(1))], [], []],
    ["nothing that is known", 0, [tipSnapshot(0, [{ now: 800, before: 800 }])], [], []],
    ["the running epoch", 1, begin, ["A 1", "crowd 0 1"], []],
    [
      "the closed one, with those whose account is there",
      2,
      [...begin, ...[125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }]))],
      ["A 1", "A 2", "crowd 0 2"],
      ["crowd 0 1"],
    ],
    [
      "not the closed one that is known to have none",
      2,
      [
        ...begin,
        ...[125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }])),
        tipSnapshot(245, [{}]),
        tipSnapshot(247, [{}]),
      ],
      ["A 2"],
      [],
    ],
  ])("is %s", (_, epoch, entries, tips, controls) => {
    expect(asked(epoch, ...entries)).toEqual({ tips, controls });
  });

  const closedOf = (entries: Entry[]) => {
    const { ledger } = foldStory(...entries);
    return tipsToRead(ledger, { epoch: FIRST_EPOCH + 2, votes: ["A", "crowd 0"].map(keyOf) })
      .closed;
  };
  const withoutTip = [125, 126].map((minute) => tipSnapshot(minute, [{ before: 800 }]));
  const firstSlot = (FIRST_EPOCH + 1) * SLOTS_IN_EPOCH;
  const ofA = {
    ...{ epoch: FIRST_EPOCH + 1, firstSlot, lastSlot: firstSlot + SLOTS_IN_EPOCH - 1 },
    identities: [keyOf("identity of A")],
  };
  const uncounted = (minute: number) => tipSnapshot(minute, [{}], { closedProduction: NOT_READ });
  const took = (minute: number) =>
    tipSnapshot(minute, [{}], {
      votes: [...rest.map(row), { ...row({ name: "A" }), identity: keyOf("another") }],
    });

  it.each<[string, Entry[], typeof ofA | null]>([
    ["those of whoever shared tips before", [...begin, ...withoutTip], ofA],
    [
      "nobody's who never shared any",
      [tipSnapshot(0, [{}], { tips: NOT_READ }), tipSnapshot(125, [{}], { tips: NOT_READ })],
      null,
    ],
    [
      "nobody's whose tip account is there",
      [...begin, tipSnapshot(125, [{ now: 800, before: 800 }])],
      null,
    ],
    [
      "also while only the tip account was asked for",
      [...begin, ...withoutTip, uncounted(245)],
      ofA,
    ],
    ["nobody's that are counted", [...begin, ...withoutTip, tipSnapshot(245, [{}])], null],
    ["nobody's under an identity that changed", [...begin, ...withoutTip, took(245)], null],
  ])("of the blocks of the closed epoch, are %s", (_, entries, closed) => {
    expect(closedOf(entries)).toEqual(closed);
  });
});
