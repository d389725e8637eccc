import { describe, expect, it } from "vitest";
import { toMiddle, toRow, toStepColumns } from "../../public/pages/validator/epoch-chart.ts";

describe("the columns of a step chart", () => {
  it("hold a value from the beginning of its epoch to the end", () => {
    expect(toStepColumns([7, 8], { values: [[5, 100]] })).toEqual([
      [6.51, 7, 7.49, 7.51, 8, 8.49],
      [5, 5, 5, 100, 100, 100],
    ]);
  });

  it("leave a gap of just the epoch whose value is not known", () => {
    expect(toStepColumns([1, 2, 3], { values: [[4, null, 0]] })[1]).toEqual([4, 4, 4, null, null, null, 0, 0, 0]);
  });

  it("have marks in the middle of an epoch alone, which every place of it leads to", () => {
    const [, , marks] = toStepColumns([1, 2], { values: [[1, 1]], marks: [[null, 9]] });
    expect(marks).toEqual([null, null, null, null, 9, null]);
    for (const place of [3, 4, 5]) {
      expect(marks?.[toMiddle(place)]).toBe(9);
      expect(toRow(place)).toBe(1);
    }
  });
});
