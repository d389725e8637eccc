import { describe, expect, it } from "vitest";
import { agreeOnProduction } from "../../generator/agree/production.ts";
import type { PanelProduction } from "../../generator/entries/entry.ts";
import { slotAt } from "../story/clock.ts";
import { snapshot } from "../story/observations.ts";
import { producersOf } from "../story/tips.ts";
import { withA } from "../story/validators.ts";
import { answersBy, listsWithout } from "../story/witnesses.ts";

const MINUTE = 40;
const IDENTITY = "identity";

/** Blocks of the one identity; null: unreadable. */
type Count = number | null | { blocks: number; ahead: number } | "silent";

function agree(
  counts: readonly Count[],
  {
    minute = MINUTE,
    silent = 1,
    ...closed
  }: { minute?: number; silent?: number | null } & Partial<PanelProduction> = {},
) {
  const answers = answersBy(counts, (one: Exclude<Count, "silent">) => {
    const { blocks, ahead } =
      typeof one === "object" && one !== null ? one : { blocks: one, ahead: 0 };
    return {
      slot: slotAt(minute) + ahead,
      blocks: [blocks === null ? null : ([8, blocks] as [number, number])],
    };
  });
  const { value } = producersOf({ minute, who: [] });
  const closedProduction = {
    state: "ok" as const,
    value: { ...value, identities: [IDENTITY], answers, ...closed },
  };
  return agreeOnProduction(snapshot(minute, withA(), { closedProduction }), listsWithout(silent));
}

const CLOSED = producersOf({ minute: MINUTE }).value;

describe("whether an identity made a block in the closed epoch", () => {
  it.each<[string, Count[], boolean | undefined]>([
    ["is what the only witness counts", [4], true],
    ["is not, where it counts none", [0], false],
    ["is not known, where it does not answer", ["silent"], undefined],
    ["is not known, where its answer cannot be read", [null], undefined],
    ["is what two count", [4, 4], true],
    ["needs a block, however many", [4, 1], true],
    ["is not known by two that differ", [4, 0], undefined],
    ["is not known by two silent ones", ["silent", "silent"], undefined],
    ["is what three count", [4, 4, 4], true],
    ["is what two of three count, whoever lies", [0, 4, 4], true],
    ["is not, where one of three lies that it did", [4, 0, 0], false],
    ["is what two of three count, one silent", [4, "silent", 4], true],
    ["is what two of three count, one unreadable", [null, 0, 0], false],
    ["is not known by a liar and an honest one of three", [4, 0, "silent"], undefined],
    ["is not known by one of three", [4, "silent", "silent"], undefined],
    ["is what three of four count", [4, 4, 0, 4], true],
    ["is not known by two of four that differ from the others", [4, 4, 0, 0], undefined],
    ["is not known by two of four, the others silent", [4, 4, "silent", "silent"], undefined],
    ["is what three of four count, one silent", ["silent", 0, 0, 0], false],
    ["counts no witness that is elsewhere", [4, 4, { blocks: 0, ahead: 151 }], true],
    [
      "is not known by two of three, one of them elsewhere",
      [4, 0, { blocks: 4, ahead: 151 }],
      undefined,
    ],
  ])("%s", (_, counts, expected) => {
    expect(agree(counts)?.hasMadeBlock.get(IDENTITY)).toBe(expected);
  });

  it.each<[string, Count[], boolean | undefined, boolean]>([
    ["while the other does not answer", [4, "silent"], true, true],
    ["but not while the other counts otherwise", [4, 0], undefined, false],
    ["nor while the other cannot be read", [4, null], undefined, false],
  ])("is what one of two counts alone, %s", (_, counts, expected, isAlone) => {
    const agreed = agree(counts);
    expect([agreed?.hasMadeBlock.get(IDENTITY), agreed?.isAlone]).toEqual([expected, isAlone]);
  });

  it.each([
    ["while the other lists and does not count", null],
    ["that gives no list, while the other lists and does not count", 0],
  ])("is not known by one of two, %s", (_, silent) => {
    const agreed = agree([4, "silent"], { silent });
    expect([agreed?.hasMadeBlock.get(IDENTITY), agreed?.isAlone]).toEqual([undefined, false]);
  });

  it.each([
    ["150 slots before the observation", MINUTE, -150, true],
    ["not of 151 slots before it", MINUTE, -151, undefined],
    ["in the first slot after the epoch", 1 / 3, -100, true],
    ["not in the last slot of the epoch", 1 / 3, -101, undefined],
  ])("is what is counted %s", (_, minute, ahead, expected) => {
    expect(agree([{ blocks: 4, ahead }], { minute })?.hasMadeBlock.get(IDENTITY)).toBe(expected);
  });

  it.each([
    ["of another epoch than the one before", { epoch: CLOSED.epoch - 1 }],
    ["of slots that do not end with it", { lastSlot: CLOSED.lastSlot - 1 }],
    ["of slots that the running epoch has", { lastSlot: CLOSED.lastSlot + 1 }],
  ])("is not known by counts %s", (_, closed) => {
    expect(agree([4, 4, 4], closed)).toBeNull();
  });

  it.each([
    ["asked", { state: "skipped", off: false }],
    ["answered", { state: "failed", reason: "no answer" }],
  ] as const)("is not known where nobody %s", (_, closedProduction) => {
    expect(
      agreeOnProduction(snapshot(MINUTE, withA(), { closedProduction }), listsWithout(null)),
    ).toBeNull();
  });
});
