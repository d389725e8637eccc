import { describe, expect, it } from "vitest";
import { countDiffering, countRestless, toSpan } from "../../../public/pages/validator/CommissionHistory.tsx";
import { toUpcoming } from "../../../public/pages/validator/CommissionNow.tsx";
import { toMarks } from "../../../public/pages/validator/charts.tsx";

const rug = { source: "COMMISSION", severity: "RUG", fromCommission: 5, toCommission: 100 } as const;
const back = { source: "COMMISSION", severity: "INFO", fromCommission: 100, toCommission: 5 } as const;
const mevOff = { source: "MEV", severity: "INFO", fromCommission: 8, toCommission: null } as const;

describe("the marks of a commission chart", () => {
  it("are one for each epoch with events of the source, ascending, for the worst of them", () => {
    const events = [
      { ...back, epoch: 12 },
      { ...rug, epoch: 12 },
      { ...mevOff, epoch: 11 },
      { ...back, epoch: 10 },
    ];
    expect(toMarks(events, "COMMISSION")).toEqual([
      { epoch: 10, severity: "INFO", at: 5, events: [events[3]] },
      { epoch: 12, severity: "RUG", at: 100, events: [events[1], events[0]] },
    ]);
  });

  it("stand at what was left where a rate was switched off", () => {
    expect(toMarks([{ ...mevOff, epoch: 3 }], "MEV")[0]?.at).toBe(8);
    expect(toMarks([{ ...mevOff, fromCommission: null, epoch: 3 }], "MEV")[0]?.at).toBeNull();
  });
});

describe("what later epochs will pay", () => {
  const announced = (
    effectiveEpoch: number | null,
    toCommission: number | null,
    effectiveEpochLatest = effectiveEpoch,
  ) => ({
    source: "COMMISSION" as const,
    effectiveEpoch,
    effectiveEpochLatest,
    supersededBy: null as string | null,
    toCommission,
  });
  const upcoming = (effectiveEpoch: number, commission: number, effectiveEpochLatest = effectiveEpoch) => ({
    effectiveEpoch,
    effectiveEpochLatest,
    commission,
  });

  it("is what was announced last for each, soonest first, and nothing of the running epoch", () => {
    const newestFirst = [announced(22, 5), announced(22, 100), announced(21, 7), announced(20, 9), announced(null, 1)];
    expect(toUpcoming(newestFirst, 20)).toEqual([upcoming(21, 7), upcoming(22, 5)]);
  });

  it("may begin in one epoch or another", () => {
    const newestFirst = [announced(21, 5, 22), announced(21, 7), announced(20, 9, 21)];
    expect(toUpcoming(newestFirst, 20)).toEqual([upcoming(20, 9, 21), upcoming(21, 7), upcoming(21, 5, 22)]);
  });

  it("is nothing that another change took away before it was paid", () => {
    expect(toUpcoming([{ ...announced(22, 100), supersededBy: "another" }], 20)).toEqual([]);
  });

  it("does not concern MEV commission, which is paid at once", () => {
    expect(toUpcoming([{ ...announced(30, 9), source: "MEV" }], 20)).toEqual([]);
  });
});

describe("the sentences about commissions", () => {
  it("count only epochs in which both what was announced and what was paid are known", () => {
    const points = [
      { commission: 5, appliedCommission: null },
      { commission: null, appliedCommission: 5 },
      { commission: 100, appliedCommission: 5 },
      { commission: 0, appliedCommission: 0 },
    ];
    expect(countDiffering(points)).toEqual({ known: 2, differing: 1 });
  });

  it("count an epoch as restless from two changes of inflation commission on", () => {
    const of = (epoch: number, source: "COMMISSION" | "MEV" = "COMMISSION") => ({ epoch, source });
    expect(countRestless([of(1), of(1), of(1), of(2), of(2, "MEV"), of(3), of(3)])).toBe(2);
  });

  it("take what is not known for neither the least nor the most", () => {
    expect(toSpan([null, 7, 0, 100, null])).toEqual({ least: 0, most: 100 });
    expect(toSpan([null])).toBeNull();
    expect(toSpan([])).toBeNull();
  });
});
