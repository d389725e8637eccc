import { expect, it } from "vitest";
import { toRecord } from "../../public/pages/validator/Strip.tsx";
import { toStepLine } from "../../public/format/rate-shapes.ts";
import { toScale } from "../../public/parts/Sparkline.tsx";

it.each([
  [[], "no changes", null, null],
  [["INFO 5", "CAUTION 3"], "no rug", "2 changes", null],
  [["INFO 5", "RUG 3"], "1 rug", "in epoch 3", "RUG 3"],
  [["RUG 5", "INFO 4", "RUG 3"], "2 rugs", "last in epoch 5", "RUG 5"],
])(
  "the record counts every rug and names the newest: %j",
  (events, record, newest, newestRugId) => {
    const told = events.map((event) => {
      const [severity, epoch] = event.split(" ");
      return { id: event, severity: severity as "RUG" | "CAUTION" | "INFO", epoch: Number(epoch) };
    });
    expect(toRecord(told)).toEqual({ record, newest, newestRugId });
  },
);

it("a sparkline steps between 0 and 100 %, and breaks where a rate is not known", () => {
  const draw = (...rates: (number | null)[]) => toStepLine(rates, toScale(rates.length));
  expect(draw(0, 100, null, 50)).toBe("M0 38H60V2H120M180 20H240");
  expect(draw()).toBe("");
  expect(draw(null)).toBe("");
});
