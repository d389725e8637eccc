import { describe, expect, it } from "vitest";
import { isScanDue, observe } from "../../generator/service/observing.ts";
import { createReport } from "../../generator/service/report.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import { timeAt } from "../story/clock.ts";
import { foldStory } from "../story/fold.ts";
import { snapshot } from "../story/observations.ts";
import { panelCheck, panelSnapshot } from "../story/panels.ts";
import { AUTHORITY, setsA, steady, transactions } from "../story/transactions.ts";
import { crowd, keyOf, withA } from "../story/validators.ts";
import { append, makeStation, makeStores } from "./offline.ts";

const authority = AUTHORITY.address;
const rate = (bps: number) => withA({ bps });
type Searched = Parameters<Observer["transactions"]>[0];

/** @param slowMinutes how long the cluster takes to answer */
async function play(kind: "check" | "snapshot", { isInBurst = false, slowMinutes = 0.01 } = {}) {
  let minute = 11;
  const context = makeStation({
    ...makeStores(),
    now: () => Date.parse(timeAt(minute)),
    holder: "one",
  });
  const before = steady(0, 10, 500);
  await append(context, before);
  const requests: Searched[] = [];
  const read = <E>(entry: E) => {
    minute += slowMinutes;
    return Promise.resolve({ passed: true as const, entry });
  };
  Object.assign(context.observer, {
    check: () => read(panelCheck(11, rate(10_000), { of: 3, by: 1 })),
    snapshot: () => read(panelSnapshot(11, rate(10_000), { of: 3, by: 1, authority })),
    transactions: (request: Searched) => {
      requests.push(request);
      const found = [setsA(10.5, [10_000])];
      return read(transactions(11.04, 3, { after: -100, upTo: 11.03, found }));
    },
  });
  const report = createReport(kind, "mainnet");
  await observe(context, kind, report, { isInBurst });
  return { requests, report, events: context.projection.ledger().events };
}

describe("the transaction behind a change", () => {
  it("is searched with the check that shows it, in a few seconds", async () => {
    const { requests, events, report } = await play("check");
    expect(requests).toMatchObject([{ milliseconds: 12_000, searches: [{ authority }] }]);
    expect(events).toMatchObject([
      { to: 10_000, transaction: { verified: "signature", signer: authority } },
    ]);
    expect(report.rejected).toEqual([]);
  });

  it("is searched with a snapshot, beside the next part of the sweep", async () => {
    const { requests } = await play("snapshot");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.milliseconds).toBe(30_000);
    expect(requests[0]?.searches.length).toBeGreaterThan(1);
    expect(new Set(requests[0]?.searches.map((search) => search.authority)).size).toBe(
      requests[0]?.searches.length,
    );
  });

  it("keeps no check of a burst waiting", async () => {
    const { requests, events } = await play("check", { isInBurst: true });
    expect(requests).toEqual([]);
    expect(events).toMatchObject([{ to: 10_000, transaction: null }]);
  });

  it("has the time that a snapshot left before the next observation may be due, and none where it left none", async () => {
    const { requests } = await play("snapshot", { slowMinutes: 1.2 });
    expect(requests[0]?.milliseconds).toBe(18_000);
    expect((await play("snapshot", { slowMinutes: 1.5 })).requests).toEqual([]);
  });
});

describe("a scan of the stake accounts", () => {
  const isDue = (scannedAt: number, minute: number, epoch = 1100, everyMinutes = 60) => {
    const rows: [string, bigint, bigint, number][] = [[keyOf("crowd 0"), 0n, 0n, 0]];
    const value = { epoch: 1100, asOf: timeAt(scannedAt), rows };
    const { ledger } = foldStory(
      snapshot(scannedAt, crowd(3), { stakeAccounts: { state: "ok", value } }),
    );
    return isScanDue(ledger, { epoch, now: Date.parse(timeAt(minute)), everyMinutes });
  };

  it.each<[number, number[], number[]]>([
    [0, [10, 50, 59.9], [60, 70, 130]],
    [0.5, [59], [60, 119.9, 120]],
    [50, [59, 60, 110, 119.9], [120]],
  ])(
    "at minute %d is due again on the multiples of the least time: not at %o, at %o",
    (scannedAt, early, late) => {
      expect([...early, ...late].filter((minute) => isDue(scannedAt, minute))).toEqual(late);
    },
  );

  it("is due at first, with the first snapshot of an epoch, and with each where no time is to pass between two", () => {
    const { ledger } = foldStory(snapshot(0, crowd(3)));
    expect(isScanDue(ledger, { epoch: 1100, now: Date.parse(timeAt(1)), everyMinutes: 60 })).toBe(
      true,
    );
    expect([isDue(0, 10, 1101), isDue(0, 10, 1100, 0)]).toEqual([true, true]);
  });
});
