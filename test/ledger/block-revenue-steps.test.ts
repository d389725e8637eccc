import { describe, expect, it } from "vitest";
import { updateBlockRevenueCommission } from "../cluster/transactions/programs.ts";
import { newestRevenueOf, revenueSnapshots, revenueStepsOf } from "../story/block-revenue.ts";
import { slotAt } from "../story/clock.ts";
import { A, AUTHORITY, execute, transactions } from "../story/transactions.ts";

const setsRevenue = (minute: number, rate: number) =>
  execute(slotAt(minute), [updateBlockRevenueCommission(A, AUTHORITY.address, rate)], [AUTHORITY]);
const searched = (minute: number, ...found: ReturnType<typeof setsRevenue>[]) =>
  transactions(minute, 3, { after: -100, upTo: minute - 0.5, found });

describe("a transaction", () => {
  const rise = revenueSnapshots(3, 5_000, 10_000, 10_000, 10_000);

  it.each([
    ["before the second reading", 11],
    ["after it", 21],
  ])("found %s completes the change", (_, minute) => {
    const entries = [
      ...rise,
      searched(minute, setsRevenue(7, 10_000)),
      searched(31, setsRevenue(7, 10_000)),
    ];
    expect(revenueStepsOf(...entries)).toEqual(["5000 → 10000 at 7, signature"]);
    expect(newestRevenueOf(...entries)).toBe(10_000);
  });

  it("is believed before any snapshot shows its rate", () => {
    expect(
      newestRevenueOf(...revenueSnapshots(3, 5_000), searched(8, setsRevenue(7, 10_000))),
    ).toBe(10_000);
    expect(
      revenueStepsOf(...revenueSnapshots(3, 5_000), searched(8, setsRevenue(7, 10_000))),
    ).toEqual(["5000 → 10000 at 7, signature, unseen"]);
  });

  it("that set the rate last is the one, and those before it stand beside it", () => {
    const steps = [setsRevenue(6, 10_000), setsRevenue(7, 2_000), setsRevenue(8, 65_535)];
    expect(revenueStepsOf(...rise, searched(31, ...steps))).toEqual([
      "5000 → 10000 at 6, signature, unseen",
      "5000 → 2000 at 7, signature, unseen",
      "5000 → 10000 at 8, signature",
    ]);
  });

  it("of another rate, of another time or of a stale account leaves the change observed", () => {
    expect(revenueStepsOf(...rise, searched(31, setsRevenue(7, 2_000)))).toEqual([
      "5000 → 2000 at 7, signature, unseen",
      "5000 → 10000 at 10, observed",
    ]);
    expect(revenueStepsOf(...rise, searched(31, setsRevenue(12, 10_000)))).toContain(
      "5000 → 10000 at 10, observed",
    );
  });

  it("just before a reading of the old rate made the change: that account was stale", () => {
    expect(revenueStepsOf(...rise, searched(31, setsRevenue(-0.5, 10_000)))).toEqual([
      "5000 → 10000 at -0.5, signature",
    ]);
    expect(revenueStepsOf(...rise, searched(31, setsRevenue(-1.5, 10_000)))).toHaveLength(2);
  });

  it("between two snapshots is told though both show the same", () => {
    const entries = [
      ...revenueSnapshots(3, 5_000, 5_000, 5_000),
      searched(21, setsRevenue(3, 10_000), setsRevenue(4, 5_000)),
    ];
    expect(revenueStepsOf(...entries)).toEqual([
      "5000 → 10000 at 3, signature, unseen",
      "5000 → 5000 at 4, signature, unseen",
    ]);
    expect(newestRevenueOf(...entries)).toBe(5_000);
  });

  it("long ago does not outlast what snapshots show now", () => {
    expect(
      newestRevenueOf(searched(2, setsRevenue(1, 2_000)), ...revenueSnapshots(3, 5_000, 5_000)),
    ).toBe(5_000);
    expect(
      newestRevenueOf(
        ...revenueSnapshots(3, 5_000, 5_000, 5_000),
        searched(21, setsRevenue(3, 2_000)),
      ),
    ).toBe(5_000);
  });
});
