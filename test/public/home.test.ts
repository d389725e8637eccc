import { describe, expect, it } from "vitest";
import { toCharges } from "../../public/format/charges.ts";
import { toPatternBrief, toPatternText } from "../../public/format/events.ts";
import { sumLost } from "../../public/format/lost.ts";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { StandingRug } from "../../generator/contract/standing-rugs.ts";
import { toLostText } from "../../public/pages/now/RugsPerEpoch.tsx";
import { type Keeper, toTold, toWorst } from "../../public/pages/now/worst.ts";
import { toShownText, toSinceText } from "../../public/pages/now/WorstNow.tsx";
import { toVerb } from "../../public/parts/Change.tsx";
import { toEvents } from "./told.ts";

describe("what rugs took", () => {
  const SOL = 1_000_000_000n;
  const rows = [
    { epoch: 1060, lamportsLost: String(100n * SOL) },
    { epoch: 1069, lamportsLost: String(20n * SOL) },
    { epoch: 1070, lamportsLost: String(7n * SOL) },
    { epoch: 1072, lamportsLost: String(2n * SOL) },
    { epoch: 1066, lamportsLost: null },
  ];

  it("is lost when the first epoch that charges it is over, and else still to come", () =>
    expect(sumLost(rows, 1072)).toEqual({ lost: 120n * SOL, ahead: 9n * SOL, unknown: 1 }));

  it("is told apart in a sentence", () => {
    expect(toLostText(rows, 1072)).toBe(
      "So far delegators lost 120 SOL of inflation rewards in the first epochs alone that charged them; epochs that are not over will cost them 9.00 SOL more. What the rugs of 1 epoch cost is not known.",
    );
    expect(toLostText(rows.slice(0, 1), 1072)).toBe(
      "So far delegators lost 100 SOL of inflation rewards in the first epochs alone that charged them.",
    );
  });
});

describe("what delegators pay", () => {
  const [fall] = toEvents({
    fromCommission: 46,
    toCommission: 6,
    epoch: 1072,
    effectiveEpoch: 1074,
    effectiveEpochLatest: 1074,
    supersededBy: null,
  });

  it.each([
    [
      "a fall after a rise that is charged before it",
      { appliedCommission: 6, nextAppliedCommission: 46 },
      fall!,
      [
        { percent: 6, fromEpoch: null },
        { percent: 46, fromEpoch: 1073 },
        { percent: 6, fromEpoch: 1074 },
      ],
    ],
    [
      "a fall alone",
      { appliedCommission: 46, nextAppliedCommission: 46 },
      fall!,
      [
        { percent: 46, fromEpoch: null },
        { percent: 6, fromEpoch: 1074 },
      ],
    ],
    [
      "a change that was taken back",
      { appliedCommission: 46, nextAppliedCommission: null },
      { ...fall!, supersededBy: "other" },
      [{ percent: 46, fromEpoch: null }],
    ],
    [
      "MEV, which is no inflation commission",
      { appliedCommission: 0, nextAppliedCommission: 5 },
      { ...fall!, source: "MEV" as const },
      [
        { percent: 0, fromEpoch: null },
        { percent: 5, fromEpoch: 1073 },
      ],
    ],
    [
      "nothing known",
      { appliedCommission: null, nextAppliedCommission: null },
      fall!,
      [{ percent: 6, fromEpoch: 1074 }],
    ],
  ])("is told in the order in which they do: %s", (_, rates, change, charges) =>
    expect(toCharges(rates, change, 1072)).toEqual(charges),
  );
});

it("a pattern is a plain sentence, in brief and in full", () => {
  const pattern = {
    kind: "serial_flip",
    source: "COMMISSION",
    from: 6,
    to: 46,
    epochs: 6,
    ofEpochs: 11,
    firstEpoch: 1061,
    lastEpoch: 1071,
    changes: 12,
  } as const;
  expect(toPatternBrief(pattern)).toEqual([
    "6\u00a0% ↔ 46\u00a0%",
    "raised in 6 of the 11 epochs 1061 to 1071",
  ]);
  expect(toPatternText(pattern)).toBe(
    "It raised its inflation commission in 6 of the 11 epochs 1061 to 1071, last from 6\u00a0% to 46\u00a0%, and lowered it in between.",
  );
});

it.each([
  ["a rise of inflation commission", {}, "costs"],
  ["a rise of MEV commission, which is told apart", { source: "MEV" }, "costs MEV tips"],
  ["a fall", { delta: -95 }, "applies"],
  [
    "a fall that ends a rise of a pattern",
    { delta: -95, pattern: { from: 5 } },
    "back at 5\u00a0%",
  ],
  ["one that ends above it", { delta: -85, toCommission: 15, pattern: { from: 5 } }, "applies"],
] as const)("what delegators pay has a word: %s", (_, told, verb) => {
  const event = { source: "COMMISSION", delta: 95, toCommission: 5, pattern: null, ...told };
  expect(toVerb(event as CommissionEvent)).toBe(verb);
});

describe("the worst now", () => {
  const rug = (votePubkey: string, paid: boolean) => ({ votePubkey, paid }) as StandingRug;
  const keeper = (votePubkey: string) => ({ votePubkey }) as Keeper;
  const told = (standing: StandingRug[], announced: number, most: Keeper[] = []) =>
    toWorst({
      standing: {
        worst: standing,
        validatorsPaid: standing.filter(({ paid }) => paid).length,
        validatorsAnnounced: announced,
      },
      keeping: { most },
    } as Parameters<typeof toWorst>[0]);
  const names = (rows: readonly { votePubkey: string }[]) =>
    rows.map(({ votePubkey }) => votePubkey);

  it("are those whose rise is paid, those whose rise comes, and others, each once", () => {
    const worst = told([rug("raised", true), rug("comes", false)], 1, [
      keeper("other"),
      keeper("raised"),
    ]);
    expect(names(worst.paid)).toEqual(["raised"]);
    expect(names(worst.ahead)).toEqual(["comes"]);
    expect(names(worst.others)).toEqual(["other"]);
  });

  it("are eight, but for those whose rise comes, which are all there", () => {
    const many = Array.from({ length: 9 }, (_, at) => rug(`raised ${at}`, true));
    const worst = told([...many, rug("comes", false)], 1, [keeper("other")]);
    expect(worst.paid).toHaveLength(8);
    expect(names(worst.ahead)).toEqual(["comes"]);
    expect(worst.others).toEqual([]);
  });

  it("are only those whom the document names: it has none of a rise to come beside ten paid", () => {
    const many = Array.from({ length: 10 }, (_, at) => rug(`raised ${at}`, true));
    expect(told(many, 3)).toMatchObject({ ahead: [], others: [] });
  });

  it("are told with what a later epoch pays again", () => {
    const event = (votePubkey: string, effectiveEpoch: number, facts: object = {}) =>
      ({
        ...{
          votePubkey,
          effectiveEpoch,
          source: "COMMISSION",
          supersededBy: null,
          replacedBy: null,
        },
        ...facts,
      }) as CommissionEvent;
    const old = event("A", 1_071);
    const again = event("A", 1_074);
    const others = [
      event("B", 1_074),
      event("A", 1_074, { source: "MEV" }),
      event("A", 1_074, { supersededBy: "another" }),
      event("A", 1_073),
    ];
    const standing = { ...rug("A", true), event: old };
    expect(toTold(standing, [...others, again, old], 1_072)).toBe(again);
    expect(toTold(standing, [...others, old], 1_072)).toBe(old);
  });

  it("have a heading a group, which says how many it leaves out", () => {
    expect(toShownText(2, 2)).toBe("2");
    expect(toShownText(8, 1_023)).toBe("the 8 with the most stake of 1,023");
  });

  it("say for how long others took as much", () =>
    expect(
      [
        [100, null, 90],
        [5, 100],
      ].map(toSinceText),
    ).toEqual(["costs in each of the 2 epochs that we know", "costs now"]));
});
