import { describe, expect, it } from "vitest";
import { isScanDue } from "../../generator/commands/observation.ts";
import { findBoundaries } from "../../generator/commands/run.ts";
import { CADENCE, lateTick, nextTick, type Tick } from "../../generator/commands/schedule.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import { check, crowd, snapshot, SLOTS_A_MINUTE, SLOTS_IN_EPOCH, tell, timeAt, keyOf } from "../ledger/story.ts";

/** Epoch milliseconds of a time of one day. */
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);

/** An epoch is about as long: its end is on no minute of these tests. */
const DAY = 86_000_000;

interface Row {
  after: string;
  boundary?: string;
  next: [time: string, kind: Tick["kind"]];
}

function expectNext({ after, boundary, next: [time, kind] }: Row): void {
  const boundaries = boundary === undefined ? [] : [at(boundary), at(boundary) + DAY];
  expect(nextTick({ after: at(after), boundaries, cadence: CADENCE })).toEqual({ at: at(time), kind });
}

describe("the next tick", () => {
  it.each<Row>([
    { after: "10:00:00.000", next: ["10:01:00.000", "check"] },
    { after: "10:00:00.001", next: ["10:01:00.000", "check"] },
    { after: "10:00:59.999", next: ["10:01:00.000", "check"] },
    { after: "10:08:30.000", next: ["10:09:00.000", "check"] },
    { after: "23:58:12.000", next: ["23:59:00.000", "check"] },
  ])("is a check on the next minute: after $after", expectNext);

  it.each<Row>([
    { after: "10:09:00.000", next: ["10:10:00.000", "snapshot"] },
    { after: "10:09:59.999", next: ["10:10:00.000", "snapshot"] },
    { after: "10:59:01.000", next: ["11:00:00.000", "snapshot"] },
  ])("is a snapshot where the minute is a tenth: after $after", expectNext);

  it.each<Row>([
    { after: "10:05:00.000", boundary: "10:05:30.000", next: ["10:05:20.000", "check"] },
    { after: "10:05:20.000", boundary: "10:05:30.000", next: ["10:05:40.000", "check"] },
    { after: "10:05:40.000", boundary: "10:05:30.000", next: ["10:06:00.000", "check"] },
    { after: "10:04:00.000", boundary: "10:05:05.000", next: ["10:04:55.000", "check"] },
    { after: "10:05:00.000", boundary: "10:05:05.000", next: ["10:05:15.000", "check"] },
    { after: "10:09:00.000", boundary: "10:10:00.000", next: ["10:09:50.000", "check"] },
    { after: "10:09:50.000", boundary: "10:10:00.000", next: ["10:10:00.000", "snapshot"] },
    { after: "10:10:00.000", boundary: "10:10:00.000", next: ["10:10:10.000", "check"] },
  ])("is a check ten seconds before and after an epoch begins: after $after, at $boundary", expectNext);

  it("falls on the minute alone where the check around the boundary would be at the same time", () => {
    expectNext({ after: "10:05:00.000", boundary: "10:06:10.000", next: ["10:06:00.000", "check"] });
    expectNext({ after: "10:05:00.000", boundary: "10:05:50.000", next: ["10:05:40.000", "check"] });
    expectNext({ after: "10:05:40.000", boundary: "10:05:50.000", next: ["10:06:00.000", "check"] });
  });

  it("is a whole millisecond, though a boundary is measured in parts of one", () => {
    const { at: next } = nextTick({
      after: at("10:05:00.000"),
      boundaries: [at("10:05:30.000") + 0.25],
      cadence: CADENCE,
    });
    expect(next).toBe(at("10:05:20.000") + 1);
  });

  it.each<Row>([
    { after: "10:07:31.500", next: ["10:08:00.000", "check"] },
    { after: "10:21:00.001", next: ["10:22:00.000", "check"] },
    { after: "10:06:45.000", boundary: "10:05:30.000", next: ["10:07:00.000", "check"] },
  ])("never makes up for what was missed: after $after", expectNext);

  it("follows another cadence", () => {
    const cadence = { checkMilliseconds: 5 * 60_000, snapshotMilliseconds: 30 * 60_000 };
    const next = (after: string) => nextTick({ after: at(after), boundaries: [], cadence });
    expect(next("10:00:00.000")).toEqual({ at: at("10:05:00.000"), kind: "check" });
    expect(next("10:25:00.000")).toEqual({ at: at("10:30:00.000"), kind: "snapshot" });
  });
});

describe("an observation that took longer than its minute", () => {
  const late = (last: string, now: string) => lateTick({ last: at(last), now: at(now), cadence: CADENCE });

  it.each([
    { last: "10:10:00.000", now: "10:11:05.000", kind: "check" },
    { last: "10:05:00.000", now: "10:06:00.000", kind: "check" },
    { last: "10:05:50.000", now: "10:06:02.000", kind: "check" },
    { last: "10:08:00.000", now: "10:10:30.000", kind: "snapshot" },
  ])("is followed at once by that of the minute that runs: $last until $now", ({ last, now, kind }) => {
    expect(late(last, now)).toEqual({ at: at(now), kind });
  });

  it("is not, where it ends in its own minute", () => {
    expect(late("10:10:00.000", "10:10:59.999")).toBeNull();
    expect(late("10:05:20.000", "10:05:59.000")).toBeNull();
  });
});

describe("the epoch boundaries around an observation", () => {
  it("are not known before slot time was measured between two snapshots", () => {
    expect(findBoundaries(createLedger("mainnet"))).toEqual([]);
    expect(findBoundaries(tell(snapshot(0, crowd(3)), check(1, crowd(3))).ledger)).toEqual([]);
  });

  it("are reckoned from the newest accepted one by measured slot time", () => {
    const { ledger } = tell(snapshot(0, crowd(3)), snapshot(10, crowd(3)), check(11, crowd(3)));
    expect(findBoundaries(ledger)).toEqual(
      [0, SLOTS_IN_EPOCH / SLOTS_A_MINUTE].map((minute) => Date.parse(timeAt(minute))),
    );
  });
});

describe("a scan of the stake accounts", () => {
  const scanned = (minute: number) =>
    tell(
      snapshot(minute, crowd(3), {
        stakeAccounts: {
          state: "ok",
          value: { epoch: 1100, asOf: timeAt(minute), rows: [[keyOf("crowd 0"), 0n, 0n, 0]] },
        },
      }),
    ).ledger;
  const due = (minute: number, epoch = 1100, everyMinutes = 60) =>
    isScanDue(scanned(0), { epoch, now: Date.parse(timeAt(minute)), everyMinutes });

  it("is due when there was none yet", () => {
    const { ledger } = tell(snapshot(0, crowd(3)));
    expect(isScanDue(ledger, { epoch: 1100, now: Date.parse(timeAt(1)), everyMinutes: 60 })).toBe(true);
  });

  it("is due after the least time between two, on the minutes of the day that are multiples of it", () => {
    const after = (scan: number) => (minute: number) =>
      isScanDue(scanned(scan), { epoch: 1100, now: Date.parse(timeAt(minute)), everyMinutes: 60 });
    expect([10, 50, 59.9, 60, 70, 130].map(after(0))).toEqual([false, false, false, true, true, true]);
    expect([59, 60, 119.9, 120].map(after(0.5))).toEqual([false, true, true, true]);
    expect([59, 60, 110, 119.9, 120].map(after(50))).toEqual([false, false, false, false, true]);
  });

  it("is due with the first snapshot of an epoch, whatever the time since the last", () => {
    expect(due(10, 1101)).toBe(true);
  });

  it("is due with every snapshot where no time is to pass between two", () => {
    expect(due(10, 1100, 0)).toBe(true);
  });
});
