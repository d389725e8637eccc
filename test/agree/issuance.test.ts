import { expect, it } from "vitest";
import { agreeOnIssuance } from "../../generator/agree/issuance.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { type Issuance, issuanceOf, SUPPLY } from "../story/issuance.ts";
import { snapshot } from "../story/observations.ts";
import { withA } from "../story/validators.ts";
import { listsLike, listsWithout } from "../story/witnesses.ts";

const MINUTE = 40;
const entryOf = (...answers: Issuance[]) =>
  snapshot(MINUTE, withA(), { issuance: issuanceOf(MINUTE, ...answers) });
const agree = (...answers: Issuance[]) => agreeOnIssuance(entryOf(...answers), listsLike(answers));
const more = (lamports: bigint) => ({ supply: SUPPLY + lamports });

it.each<[string, Issuance[], bigint | undefined]>([
  ["what one alone answers", [{}], SUPPLY],
  ["what two answer alike", [{}, {}], SUPPLY],
  ["nothing where one of two has another rate", [{ validatorRate: 0.9 }, {}], undefined],
  ["nothing where one of two has another supply", [{ supply: 2n * SUPPLY }, {}], undefined],
  [
    "what two of three answer, whatever the third does",
    [{ supply: 1n, validatorRate: 1 }, {}, {}],
    SUPPLY,
  ],
  ["nothing of two who have other slot times", [{}, { slotTimes: [] }, "silent"], undefined],
  ["nothing by one of three", [{}, "silent", "silent"], undefined],
  ["what three of four answer", [{}, { slotTimes: [[1, 1]] }, {}, {}], SUPPLY],
  ["the median of supplies within a thousandth", [{}, more(9n), more(SUPPLY / 1000n)], SUPPLY + 9n],
  ["the lower of two supplies within a thousandth", [more(9n), {}], SUPPLY],
  ["nothing of two supplies further apart", [{}, more(SUPPLY / 990n)], undefined],
])("of inflation and supply a panel agrees on %s", (_, answers, supply) => {
  expect(agree(...answers)?.value?.supply).toBe(supply);
  expect(agree(...answers)?.isAlone).toBe(false);
});

it("one of two is alone where the other gives no list either", () => {
  expect(agree({}, "silent")).toMatchObject({ value: { supply: SUPPLY }, isAlone: true });
  const nothing = { value: null, isAlone: false };
  expect(agreeOnIssuance(entryOf({}, "silent"), listsWithout(null))).toMatchObject(nothing);
});

it.each<[string, [slotMilliseconds: number, activatedAt: number][], number]>([
  ["400 ms while no feature shortens it", [], 400],
  [
    "the shortest that is active",
    [
      [200, slotAt(0) - 2],
      [300, slotAt(0) - 1],
    ],
    200,
  ],
  ["not of a feature that becomes active within the epoch", [[100, slotAt(0)]], 400],
])("a slot takes %s", (_, slotTimes, slotMilliseconds) => {
  expect(agree({ slotTimes })?.value).toMatchObject({ slotMilliseconds });
});

it.each([
  ["was not asked", { state: "skipped", off: false } as const, null],
  ["is of another epoch", issuanceOf(-1, {}), { value: null, isAlone: false, failures: [] }],
])("nobody agrees on what %s", (_, issuance, agreed) => {
  const entry = snapshot(MINUTE, withA(), { issuance });
  expect(entry.epoch).toBe(FIRST_EPOCH);
  expect(agreeOnIssuance(entry, listsWithout(null))).toEqual(agreed);
});

it("why witnesses did not answer is kept, whatever the others agree on", () => {
  const failures = [expect.any(String)];
  expect(agree({}, {}, "silent")).toMatchObject({ value: { supply: SUPPLY }, failures });
  expect(agree({}, "silent", "silent")?.failures).toHaveLength(2);
});
