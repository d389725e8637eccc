import { describe, expect, it } from "vitest";
import { agreeOnTips, type TipState } from "../../generator/agree/tips.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { snapshot } from "../story/observations.ts";
import { type Share, tipsOf } from "../story/tips.ts";
import { keyOf, withA } from "../story/validators.ts";
import { endpointOf, listsLike, listsWithout } from "../story/witnesses.ts";

const MINUTE = 40;
const SLOTS_SINCE_BEGINNING = slotAt(MINUTE) - slotAt(0);

/** A's share by one witness, and that of the account that is known to be there. */
type Reading = Share | { share: Share; ahead?: number; control?: Share } | "silent";

/** In the running epoch, or the closed one before it. */
function agree(
  epoch: "running" | "closed",
  readings: readonly Reading[],
  { controls = ["B"], lists = listsLike(readings) } = {},
) {
  const witnesses = readings.map((one) => {
    if (one === "silent") return one;
    const { share, control = 800 } = typeof one === "object" && one !== null ? one : { share: one };
    return (name: string) => (name === "A" ? share : control);
  });
  const ahead = readings.map((one) =>
    typeof one === "object" && one !== null ? (one.ahead ?? 0) : 0,
  );
  const tips = tipsOf({ minute: MINUTE, who: ["A"], ahead, controls }, ...witnesses);
  const { panelSize, tips: agreed } = agreeOnTips(snapshot(MINUTE, withA(), { tips }), lists);
  expect(panelSize).toBe(readings.length);
  const of = epoch === "running" ? FIRST_EPOCH : FIRST_EPOCH - 1;
  return agreed.find((tip) => tip.vote === keyOf("A") && tip.epoch === of)!;
}

describe("of a tip account of the running epoch a panel agrees on", () => {
  it.each<[string, Reading[], TipState | null]>([
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
    [
      "nothing that needs one 151 slots from the others",
      [900, 800, { share: 900, ahead: 151 }],
      null,
    ],
    ["what one shows 150 slots from the others", [900, 800, { share: 900, ahead: 150 }], 900],
  ])("%s", (_, readings, value) => {
    expect(agree("running", readings).value).toBe(value);
  });

  it.each<[string, Reading[], TipState | null, boolean]>([
    ["while the other does not answer", [900, "silent"], 900, true],
    ["but not while it answers otherwise", [900, "absent"], null, false],
    ["nor while it is elsewhere", [900, { share: 900, ahead: -151 }], null, false],
  ])("what one of two shows alone, %s", (_, readings, value, isAlone) => {
    expect(agree("running", readings)).toMatchObject({ value, isAlone });
  });

  it("what one of two shows alone, but not while it gives its list", () => {
    const agreed = agree("running", [900, "silent"], { lists: listsWithout(null) });
    expect(agreed).toMatchObject({ value: null, isAlone: false });
  });

  it("and shows who answered what", () => {
    expect(agree("running", [900, "silent", 800]).answers).toEqual([
      { endpoint: endpointOf(0), state: 900 },
      { endpoint: endpointOf(2), state: 800 },
    ]);
  });
});

describe("of a closed epoch's it agrees on", () => {
  it.each<[string, Reading[], TipState | null]>([
    ["what most show", [900, 900, "absent"], 900],
    ["none, where most find none", ["absent", "absent", 900], "absent"],
    [
      "nothing where a witness that is needed lacks the control",
      ["absent", { share: "absent", control: "absent" }],
      null,
    ],
    [
      "nothing by an answer of before its end",
      [{ share: "absent", ahead: -SLOTS_SINCE_BEGINNING - 1 }, "absent"],
      null,
    ],
  ])("%s", (_, readings, value) => {
    expect(agree("closed", readings).value).toBe(value);
  });

  it("nothing without a control that is there", () => {
    expect(agree("closed", ["absent", "absent", "absent"], { controls: [] }).value).toBeNull();
  });

  it.each([
    ["none where eight of ten controls are there", 8, "absent"],
    ["nothing where seven of ten are", 7, null],
  ])("%s", (_, there, value) => {
    const controls = Array.from({ length: 10 }, (_, index) => `control ${index}`);
    const shareOf = (name: string) => (controls.slice(0, there).includes(name) ? 800 : "absent");
    const tips = tipsOf({ minute: MINUTE, who: ["A"], controls }, shareOf);
    expect(
      agreeOnTips(snapshot(MINUTE, withA(), { tips }), listsWithout(null)).tips[0]?.value,
    ).toBe(value);
  });
});

it.each([
  ["what was not asked", { state: "skipped", off: false }],
  ["what nobody answered", { state: "failed", reason: "no answer" }],
] as const)("%s is agreed on by nobody", (_, tips) => {
  expect(agreeOnTips(snapshot(MINUTE, withA(), { tips }), listsWithout(null))).toEqual({
    panelSize: 0,
    tips: [],
  });
});
