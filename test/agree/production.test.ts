import { describe, expect, it } from "vitest";
import { agreeOnProduction } from "../../generator/agree/production.ts";
import type { PanelProduction } from "../../generator/entries/entry.ts";
import { endpointOf, EPOCH, SLOT } from "./panel-entry.ts";

const FIRST_SLOT = SLOT - 10_000;
const CLOSED = { epoch: EPOCH - 1, firstSlot: FIRST_SLOT - 432_000, lastSlot: FIRST_SLOT - 1 };

/** Blocks of the one identity; null: unreadable. */
type Said = number | null | { blocks: number; ahead: number } | "silent";

function agree(said: readonly Said[], closed: Partial<typeof CLOSED> = {}, lists = { isAlone: true }) {
  const answers = said.map((one, witness): PanelProduction["answers"][number] => {
    const endpoint = endpointOf(witness);
    if (one === "silent") return { state: "failed", endpoint, reason: "error -32602: firstSlot is too small" };
    const { blocks, ahead } = typeof one === "object" && one !== null ? one : { blocks: one, ahead: 0 };
    return { state: "ok", endpoint, slot: SLOT + ahead, blocks: [blocks === null ? null : [8, blocks]] };
  });
  const value = { ...CLOSED, ...closed, identities: ["identity"], answers };
  const entry = { closedProduction: { state: "ok" as const, value }, slot: SLOT, epoch: EPOCH };
  return agreeOnProduction({ ...entry, absoluteSlot: SLOT, slotIndex: 10_000 }, lists);
}

describe("whether an identity made a block in the closed epoch", () => {
  it.each<[string, Said[], boolean | undefined]>([
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
    ["is not known by two of three, one of them elsewhere", [4, 0, { blocks: 4, ahead: 151 }], undefined],
  ])("%s", (_, said, expected) => {
    expect(agree(said)?.hasMadeBlock.get("identity")).toBe(expected);
  });

  it.each<[string, Said[], boolean | undefined, boolean]>([
    ["while the other does not answer", [4, "silent"], true, true],
    ["but not while the other counts otherwise", [4, 0], undefined, false],
    ["nor while the other cannot be read", [4, null], undefined, false],
  ])("is what one of two counts alone, %s", (_, said, expected, isAlone) => {
    const agreed = agree(said);
    expect([agreed?.hasMadeBlock.get("identity"), agreed?.isAlone]).toEqual([expected, isAlone]);
  });

  it("is not known by one of two, while the other lists and does not count", () => {
    expect(agree([4, "silent"], {}, { isAlone: false })?.hasMadeBlock.get("identity")).toBeUndefined();
  });

  it("is not known by answers of before the epoch's end", () => {
    const early = (ahead: number) => agree([{ blocks: 4, ahead }], {})?.hasMadeBlock.get("identity");
    expect([early(-150), early(-151)]).toEqual([true, undefined]);
    const slot = FIRST_SLOT + 100;
    const at = (answered: number) => {
      const answers = [
        { state: "ok" as const, endpoint: endpointOf(0), slot: answered, blocks: [[8, 4] as [number, number]] },
      ];
      const closedProduction = { state: "ok" as const, value: { ...CLOSED, identities: ["identity"], answers } };
      return agreeOnProduction(
        { closedProduction, slot, epoch: EPOCH, absoluteSlot: slot, slotIndex: 100 },
        { isAlone: false },
      );
    };
    expect([FIRST_SLOT, FIRST_SLOT - 1].map((answered) => at(answered)?.hasMadeBlock.size)).toEqual([1, 0]);
  });

  it.each([
    ["of another epoch than the one before", { epoch: EPOCH - 2 }],
    ["of slots that do not end with it", { lastSlot: FIRST_SLOT - 2 }],
    ["of slots that the running epoch has", { lastSlot: FIRST_SLOT }],
  ])("is not known by counts %s", (_, closed) => {
    expect(agree([4, 4, 4], closed)).toBeNull();
  });

  it("is not known where nobody was asked, or nobody answered", () => {
    const entry = { slot: SLOT, epoch: EPOCH, absoluteSlot: SLOT, slotIndex: 10_000 };
    for (const closedProduction of [
      { state: "skipped", off: false } as const,
      { state: "failed", reason: "no answer" } as const,
    ])
      expect(agreeOnProduction({ ...entry, closedProduction }, { isAlone: false })).toBeNull();
  });
});
