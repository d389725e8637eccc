import { describe, expect, it } from "vitest";
import { agreeOnTips, type TipState } from "../../generator/agree/tips.ts";
import type { PanelTips } from "../../generator/entries/entry.ts";

const EPOCH = 1_000;
const FIRST_SLOT = 432_000_000;
const SLOT = FIRST_SLOT + 10_000;
const TIP = { vote: "A", epoch: EPOCH };
const CLOSED = { vote: "A", epoch: EPOCH - 1 };
const CONTROL = { vote: "B", epoch: EPOCH - 1 };

/** Basis points; null: cut off. */
type Share = number | "absent" | null;
type Said = Share | { share: Share; ahead?: number; control?: Share } | "silent";

function agree(tip: typeof TIP, said: readonly Said[], { controls = [CONTROL] } = {}) {
  const answers = said.map((one, witness): PanelTips["answers"][number] => {
    const endpoint = `https://witness-${witness}.example#${witness}`;
    if (one === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
    const { share, ahead = 0, control = 800 } = typeof one === "object" && one !== null ? one : { share: one };
    const shares = [share, ...controls.map(() => control)].map(toShare);
    return { state: "ok", endpoint, slot: SLOT + ahead, shares };
  });
  const tips = { state: "ok" as const, value: { tips: [tip], controls, answers } };
  const entry = { tips, slot: SLOT, epoch: EPOCH, absoluteSlot: SLOT, slotIndex: SLOT - FIRST_SLOT };
  const { panelSize, tips: agreed } = agreeOnTips(entry);
  expect(panelSize).toBe(said.length);
  return agreed[0]!;
}

function toShare(share: Share): [number | null] | null {
  return share === "absent" ? null : [share];
}

describe("of a tip account of the running epoch a panel agrees on", () => {
  it.each<[string, Said[], TipState | null]>([
    ["what its only witness shows", [900], 900],
    ["nothing that two tell apart", [900, 800], null],
    ["what two show", [900, 900], 900],
    ["what two of three show", [900, 800, 900], 900],
    ["what two of three show, one silent", [900, "silent", 900], 900],
    ["nothing of three that differ", [900, 800, 700], null],
    ["nothing by one of three", [900, "silent", "silent"], null],
    ["what three of four show", [900, 900, 800, 900], 900],
    ["nothing by two of four", [900, 900, 800, 800], null],
    ["nothing by two of four, the others silent", [900, 900, "silent", "silent"], null],
    ["nothing without an account: it may still be made", ["absent", "absent", "absent"], null],
    ["nothing that is cut off", [null, null], null],
    ["nothing of more than the whole", [10_001, 10_001], null],
    ["the whole", [10_000, 10_000], 10_000],
    ["nothing by a witness 151 slots behind the observation", [{ share: 900, ahead: -151 }], null],
    ["what one shows 150 slots behind it", [{ share: 900, ahead: -150 }], 900],
    ["nothing that needs one 151 slots from the others", [900, 800, { share: 900, ahead: 151 }], null],
    ["what one shows 150 slots from the others", [900, 800, { share: 900, ahead: 150 }], 900],
  ])("%s", (_, said, value) => {
    expect(agree(TIP, said).value).toBe(value);
  });

  it.each<[string, Said[], TipState | null, boolean]>([
    ["while the other does not answer", [900, "silent"], 900, true],
    ["but not while it answers otherwise", [900, "absent"], null, false],
    ["nor while it is elsewhere", [900, { share: 900, ahead: -151 }], null, false],
  ])("what one of two shows alone, %s", (_, said, value, isAlone) => {
    expect(agree(TIP, said)).toMatchObject({ value, isAlone });
  });

  it("and shows who answered what", () => {
    expect(agree(TIP, [900, "silent", 800]).answers).toEqual([
      { endpoint: "https://witness-0.example#0", state: 900 },
      { endpoint: "https://witness-2.example#2", state: 800 },
    ]);
  });
});

describe("of a closed epoch's it agrees on", () => {
  it.each<[string, Said[], TipState | null]>([
    ["what most show", [900, 900, "absent"], 900],
    ["none, where most find none", ["absent", "absent", 900], "absent"],
    [
      "nothing where a witness that is needed lacks the control",
      ["absent", { share: "absent", control: "absent" }],
      null,
    ],
    ["nothing by an answer of before its end", [{ share: "absent", ahead: -10_001 }, "absent"], null],
  ])("%s", (_, said, value) => {
    expect(agree(CLOSED, said).value).toBe(value);
  });

  it("nothing without a control that is there", () => {
    expect(agree(CLOSED, ["absent", "absent", "absent"], { controls: [] }).value).toBeNull();
  });

  it("none where eight of ten controls are there, and nothing where seven are", () => {
    const controls = Array.from({ length: 10 }, () => CONTROL);
    const withControls = (there: number) => {
      const shares = [null, ...controls.map((_, index): [number] | null => (index < there ? [800] : null))];
      const answers = [{ state: "ok" as const, endpoint: "https://a.example#0", slot: SLOT, shares }];
      const tips = { state: "ok" as const, value: { tips: [CLOSED], controls, answers } };
      return agreeOnTips({ tips, slot: SLOT, epoch: EPOCH, absoluteSlot: SLOT, slotIndex: 10_000 }).tips[0]?.value;
    };
    expect([withControls(8), withControls(7)]).toEqual(["absent", null]);
  });
});

it("what was not read says nothing", () => {
  const entry = { slot: SLOT, epoch: EPOCH, absoluteSlot: SLOT, slotIndex: 10_000 };
  for (const tips of [{ state: "skipped", off: false } as const, { state: "failed", reason: "no answer" } as const])
    expect(agreeOnTips({ ...entry, tips })).toEqual({ panelSize: 0, tips: [] });
});
