import { describe, expect, it } from "vitest";
import { joinPages } from "../../public/api/all-validators.ts";
import { toValidator } from "./validator.ts";

const OLD = "2026-10-01T00:00:00.000Z";
const NEW = "2026-10-01T00:10:00.000Z";

function toPage(page: number, ranks: Record<string, number>, { snapshotAt = OLD, total = 4 } = {}) {
  const meta = { network: "mainnet" as const, page, limit: 2, total, totalPages: 2, snapshotAt };
  const data = Object.entries(ranks).map(([votePubkey, rank]) => toValidator({ votePubkey, rank }));
  return { data, meta: { ...meta, networkStake: { lamports: "0", sol: 0 } } };
}

describe("the pages of the list put together", () => {
  it("are one list by rank", () => {
    const { data, meta } = joinPages([toPage(2, { C: 3, D: 4 }), toPage(1, { A: 1, B: 2 })]);
    expect(data.map(({ votePubkey }) => votePubkey).join("")).toBe("ABCD");
    expect(meta).toEqual({ total: 4, snapshotAt: OLD, isMixed: false });
  });

  it("say that they are of two snapshots, and have who moved between them once, as the newer has it", () => {
    const newer = toPage(1, { A: 1, C: 2 }, { snapshotAt: NEW, total: 5 });
    for (const pages of [
      [newer, toPage(2, { C: 3, D: 4 })],
      [toPage(2, { C: 3, D: 4 }), newer],
    ]) {
      const { data, meta } = joinPages(pages);
      expect(data.map(({ votePubkey, rank }) => `${votePubkey}${rank}`)).toEqual(["A1", "C2", "D4"]);
      expect(meta).toEqual({ total: 5, snapshotAt: NEW, isMixed: true });
    }
  });

  it("are none of a network without validators", () => {
    const empty = { ...toPage(1, {}, { total: 0 }) };
    expect(joinPages([empty])).toMatchObject({ data: [], meta: { total: 0, isMixed: false } });
  });
});
