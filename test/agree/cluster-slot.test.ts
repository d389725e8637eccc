import { describe, expect, it } from "vitest";
import { findClusterSlot } from "../../generator/agree/cluster-slot.ts";

const HERE = 1_000_000;

/** Slots that each witness and the measured pace are ahead; null: the pace is not known. */
function findAhead(aheads: readonly number[], paceAhead: number | null): number | null {
  const expected = paceAhead === null ? null : HERE + paceAhead;
  const slots = aheads.map((ahead) => HERE + ahead);
  const found = findClusterSlot(slots, expected);
  return found === null ? null : found - HERE;
}

describe("a panel shows that the cluster is", () => {
  it.each<[string, number[], number | null, number | null]>([
    ["nowhere, where nobody answers", [], 5, null],
    ["nowhere, by one witness alone", [0], 5, null],
    ["at the higher of two slots: nodes are more often behind than ahead", [0, 9], null, 9],
    ["where the pace says, where two are to both sides of it", [-3, 9], 5, 5],
    ["at the nearer of two that are behind the pace", [-9, -3], 5, -3],
    ["at the nearer of two that are ahead of it", [9, 40], 5, 9],
    ["where one of two is and the pace says, the other far ahead", [0, 90_000], 5, 5],
    ["where one of two is and the pace says, the other far behind", [0, -90_000], 5, 0],
    ["where two are together, wherever the pace expects them", [0, 1], 90_000, 1],
    ["at the middle of three slots", [9, 0, 4], null, 4],
    ["at the middle of three slots, wherever the pace expects them", [9, 0, 4], 90_000, 4],
    ["at the higher one in the middle of four", [0, 9, 4, 7], null, 7],
  ])("%s", (_, aheads, paceAhead, expected) => {
    expect(findAhead(aheads, paceAhead)).toBe(expected);
  });
});

const LIES = [-HERE, -151, -150, 0, 150, 151, HERE];
const HONEST = [-20, 0, 30, 40];

describe("no lie about one slot moves the cluster", () => {
  const panels = [3, 4].flatMap((size) =>
    Array.from({ length: size }, (_, liar): [size: number, liar: number] => [size, liar]),
  );

  it.each(panels)("of a panel of %i, whose witness %i lies", (size, liar) => {
    for (const lie of LIES) {
      const aheads = HONEST.slice(0, size);
      aheads[liar] = lie;
      const found = findAhead(aheads, null);
      const honest = aheads.filter((_, witness) => witness !== liar);
      expect(found, `lie ${lie}`).toBeGreaterThanOrEqual(Math.min(...honest));
      expect(found, `lie ${lie}`).toBeLessThanOrEqual(Math.max(...honest));
    }
  });

  it.each([0, 1])("of two that are left, where witness %i lies and the pace is known", (liar) => {
    for (const lie of LIES) {
      const aheads = [-20, -20];
      aheads[liar] = lie;
      const found = findAhead(aheads, 30);
      expect(found, `lie ${lie}`).toBeGreaterThanOrEqual(-20);
      expect(found, `lie ${lie}`).toBeLessThanOrEqual(30);
    }
  });
});
