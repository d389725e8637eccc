import { describe, expect, it } from "vitest";
import { isScanDue } from "../../generator/service/observing.ts";
import { findBoundary } from "../../generator/service/run.ts";
import {
  afterSnapshot,
  BEGINNING,
  nextTick,
  toCadence,
  type Boundary,
  type Progress,
} from "../../generator/service/schedule.ts";
import { createLedger } from "../../generator/ledger/ledger.ts";
import {
  check,
  crowd,
  FIRST_EPOCH,
  keyOf,
  SLOTS_A_MINUTE,
  SLOTS_IN_EPOCH,
  snapshot,
  tell,
  timeAt,
} from "../ledger/story.ts";

/** Epoch milliseconds of a time of one day. */
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const toTime = (time: number) => new Date(time).toISOString().slice(11, 23);

const EPOCH = 1060;
const MINUTELY = toCadence(60);
/** A boundary that no test comes near. */
const FAR = "23:00:00.000";

/** One that goes on: its last observation was just now, no burst runs. */
const going = (last: string, more: Partial<Progress> = {}): Progress => ({
  ...BEGINNING,
  last: at(last),
  owesSnapshot: false,
  ...more,
});

interface Row {
  /** When the observation before was due. */
  last: string;
  /** When it was done; by default at once. */
  now?: string;
  boundary?: string;
  checkSeconds?: number;
  next: [time: string, kind: "check" | "snapshot"];
}

function expectNext({ last, now = last, boundary = FAR, checkSeconds = 60, next }: Row): void {
  const expected: Boundary = { epoch: EPOCH, at: at(boundary) };
  const { tick } = nextTick(going(last), { now: at(now), boundary: expected, cadence: toCadence(checkSeconds) });
  expect([toTime(tick.at), tick.kind]).toEqual(next);
}

/** A time, how long the observation takes, and since when the newest accepted reading is of the next epoch. */
interface Play {
  from: Progress;
  now: string;
  boundary: string | ((time: number) => number);
  /** When the epoch is seen to have changed; by default with the boundary. */
  changesAt?: string;
  takes?: number;
  until: string;
  checkSeconds?: number;
}

/** Plays a schedule: the observations that are made, each with its kind. */
function play({ from, now, boundary, changesAt, takes = 0, until, checkSeconds = 60 }: Play): string[] {
  const changed = at(changesAt ?? (typeof boundary === "string" ? boundary : FAR));
  const made: string[] = [];
  let [progress, time, seen] = [from, at(now), at(now)];
  for (;;) {
    const expected = typeof boundary === "string" ? at(boundary) : boundary(seen);
    const known = seen < changed ? { epoch: EPOCH, at: expected } : { epoch: EPOCH + 1, at: at(FAR) };
    const next = nextTick(progress, { now: time, boundary: known, cadence: toCadence(checkSeconds) });
    if (next.tick.at >= at(until)) return made;
    made.push(`${toTime(next.tick.at)} ${next.tick.kind}`);
    progress = next.progress;
    seen = next.tick.at;
    time = next.tick.at + takes;
  }
}

const checks = (...times: string[]) => times.map((time) => `${time}.000 check`);

describe("the next tick", () => {
  it.each<Row>([
    { last: "10:00:00.000", next: ["10:01:00.000", "check"] },
    { last: "10:00:00.000", now: "10:00:00.001", next: ["10:01:00.000", "check"] },
    { last: "10:00:00.000", now: "10:00:59.999", next: ["10:01:00.000", "check"] },
    { last: "23:58:00.000", now: "23:58:12.000", next: ["23:59:00.000", "check"] },
  ])("is a check on the next minute: after $last", expectNext);

  it.each<Row>([
    { last: "10:09:00.000", next: ["10:10:00.000", "snapshot"] },
    { last: "10:09:00.000", now: "10:09:59.999", next: ["10:10:00.000", "snapshot"] },
    { last: "10:59:00.000", now: "10:59:01.000", next: ["11:00:00.000", "snapshot"] },
  ])("is a snapshot where the minute is a tenth: after $last", expectNext);

  it.each<Row>([
    { last: "10:00:00.000", checkSeconds: 10, next: ["10:00:10.000", "check"] },
    { last: "10:09:50.000", checkSeconds: 10, next: ["10:10:00.000", "snapshot"] },
    { last: "10:09:57.000", checkSeconds: 7, next: ["10:10:00.000", "snapshot"] },
    { last: "10:10:00.000", checkSeconds: 7, next: ["10:10:04.000", "check"] },
    { last: "10:00:00.000", checkSeconds: 45, next: ["10:00:45.000", "check"] },
  ])("follows the cadence of $checkSeconds s, and a snapshot stays on the tenth minute", expectNext);

  it("is a snapshot at once where a schedule begins", () => {
    const facts = { now: at("10:03:07.000"), boundary: null, cadence: MINUTELY };
    const first = nextTick(BEGINNING, facts);
    expect(first.tick).toEqual({ at: facts.now, kind: "snapshot" });
    expect(nextTick(first.progress, facts).tick).toEqual({ at: at("10:04:00.000"), kind: "check" });
  });
});

describe("an observation that took longer than its time", () => {
  it.each<Row>([
    { last: "10:10:00.000", now: "10:11:05.000", next: ["10:11:05.000", "check"] },
    { last: "10:05:00.000", now: "10:06:00.000", next: ["10:06:00.000", "check"] },
    { last: "10:05:50.000", now: "10:06:02.000", next: ["10:06:02.000", "check"] },
    { last: "10:10:00.000", now: "10:10:16.000", checkSeconds: 10, next: ["10:10:16.000", "check"] },
  ])("is followed at once by the one that is late: $last until $now", expectNext);

  it.each<Row>([
    { last: "10:08:00.000", now: "10:10:30.000", next: ["10:10:30.000", "snapshot"] },
    { last: "10:09:50.000", now: "10:10:25.000", checkSeconds: 10, next: ["10:10:25.000", "snapshot"] },
  ])("is followed by the snapshot that fell due meanwhile: $last until $now", expectNext);

  it.each<Row>([
    { last: "10:10:00.000", now: "10:10:59.999", next: ["10:11:00.000", "check"] },
    { last: "10:05:20.000", now: "10:05:59.000", next: ["10:06:00.000", "check"] },
    { last: "10:00:00.000", now: "10:21:30.000", next: ["10:21:30.000", "check"] },
  ])("is made up for by no more than one: $last until $now", expectNext);
});

describe("the burst around a boundary", () => {
  it("is a check every two seconds from ten before until the new epoch was read", () => {
    expect(play({ from: going("10:05:00.000"), now: "10:05:00.000", boundary: "10:05:30.000", until: "10:07:00.000" }))
      // At the boundary itself the new epoch is read, and on the minute all is as ever.
      .toEqual(checks("10:05:20", "10:05:22", "10:05:24", "10:05:26", "10:05:28", "10:05:30", "10:06:00"));
  });

  it("ends by what was accepted, however late, and not by the clock alone", () => {
    const made = play({
      from: going("10:05:00.000"),
      now: "10:05:00.000",
      boundary: "10:05:30.000",
      changesAt: "10:05:43.000",
      until: "10:07:00.000",
    });
    expect(made.slice(-3)).toEqual(checks("10:05:42", "10:05:44", "10:06:00"));
    expect(made).toHaveLength(14);
  });

  it("lasts a minute at most where no reading of the new epoch is accepted, and does not begin anew", () => {
    const options = { from: going("10:05:00.000"), boundary: "10:05:30.000", changesAt: FAR, until: "10:09:00.000" };
    const made = play({ ...options, now: "10:05:00.000" });
    expect(made).toHaveLength(30 + 2);
    expect(made.slice(-3)).toEqual(checks("10:06:18", "10:07:00", "10:08:00"));
  });

  it("has as many checks as there is time for where each takes longer than two seconds", () => {
    const made = play({
      from: going("10:05:00.000"),
      now: "10:05:00.000",
      boundary: "10:05:30.000",
      changesAt: "10:05:36.000",
      takes: 5_000,
      until: "10:07:00.000",
    });
    expect(made).toEqual(checks("10:05:20", "10:05:26", "10:05:32", "10:05:38", "10:06:00"));
  });

  it("begins late where an observation was under way, and keeps its end", () => {
    const boundary = "10:05:30.000";
    const made = play({
      from: going("10:05:00.000"),
      now: "10:05:25.500",
      boundary,
      changesAt: FAR,
      until: "10:07:00.000",
    });
    expect(made[0]).toBe("10:05:25.500 check");
    expect(made.slice(1, 3)).toEqual(checks("10:05:26", "10:05:28"));
    expect(made.at(-1)).toBe("10:06:18.000 check");
  });

  it("takes the place of the checks on their time", () => {
    const made = play({
      from: going("10:04:50.000"),
      now: "10:04:50.000",
      boundary: "10:05:12.500",
      until: "10:05:31.000",
      checkSeconds: 10,
    });
    expect(made).toEqual([
      ...checks("10:05:00"),
      ...["10:05:02.500", "10:05:04.500", "10:05:06.500", "10:05:08.500", "10:05:10.500", "10:05:12.500"].map(
        (time) => `${time} check`,
      ),
      ...checks("10:05:20", "10:05:30"),
    ]);
  });

  it("begins on a whole millisecond, though a boundary is measured in parts of one", () => {
    const boundary = { epoch: EPOCH, at: at("10:05:30.000") + 0.25 };
    const first = nextTick(going("10:05:00.000"), { now: at("10:05:00.000"), boundary, cadence: MINUTELY });
    expect(first.tick.at).toBe(at("10:05:20.000") + 1);
    const second = nextTick(first.progress, { now: first.tick.at, boundary, cadence: MINUTELY });
    expect(second.tick.at).toBe(at("10:05:22.000") + 1);
  });

  it("comes again where slots limp and the boundary is expected later, with a pause between", () => {
    const isLate = (time: number) => Math.max(at("10:05:30.000"), time + 20_000);
    const made = play({ from: going("10:05:00.000"), now: "10:05:00.000", boundary: isLate, until: "10:08:00.000" });
    const bursts = made.filter((one, index) => {
      const before = made[index - 1]?.slice(0, 12) ?? "10:00:00.000";
      return at(one.slice(0, 12)) - at(before) > 2_000;
    });
    expect(bursts).toEqual(checks("10:05:20", "10:06:28", "10:07:36"));
  });

  it("is none before slot time was measured", () => {
    const facts = { now: at("10:05:00.000"), boundary: null, cadence: MINUTELY };
    expect(nextTick(going("10:05:00.000"), facts).tick).toEqual({ at: at("10:06:00.000"), kind: "check" });
  });
});

describe("a snapshot near a boundary", () => {
  it.each<Row>([
    { last: "10:09:00.000", boundary: "10:11:40.001", next: ["10:10:00.000", "snapshot"] },
    { last: "10:09:00.000", boundary: "10:11:40.000", next: ["10:10:00.000", "check"] },
    { last: "10:09:00.000", boundary: "10:10:45.000", next: ["10:10:00.000", "check"] },
    { last: "10:09:00.000", boundary: "10:10:10.001", next: ["10:10:00.000", "check"] },
    { last: "10:09:00.000", boundary: "10:10:10.000", next: ["10:10:00.000", "check"] },
    { last: "10:09:00.000", boundary: "10:09:00.000", next: ["10:09:00.000", "check"] },
  ])("does not begin within 100 seconds before: due at 10:10, the boundary at $boundary", expectNext);

  it("is made right after the burst instead, once", () => {
    const made = play({
      from: going("10:09:00.000"),
      now: "10:09:00.000",
      boundary: "10:10:45.000",
      changesAt: "10:10:46.000",
      until: "10:13:00.000",
    });
    expect(made.filter((one) => one.endsWith("snapshot"))).toEqual(["10:10:49.000 snapshot"]);
    expect(made.slice(-3)).toEqual([...checks("10:11:00", "10:12:00")].toSpliced(0, 0, "10:10:49.000 snapshot"));
  });

  it("is made right after the burst where it falls due within it, also when no new epoch was accepted", () => {
    const options = { from: going("10:09:00.000"), now: "10:09:00.000", boundary: "10:09:50.000" };
    const accepted = play({ ...options, changesAt: "10:10:03.000", until: "10:12:00.000" });
    expect(accepted.slice(-2)).toEqual(["10:10:06.000 snapshot", "10:11:00.000 check"]);
    const stuck = play({ ...options, changesAt: FAR, until: "10:12:00.000" });
    expect(stuck.slice(-2)).toEqual(["10:10:40.000 snapshot", "10:11:00.000 check"]);
  });

  it("that a schedule would begin with waits too", () => {
    const made = play({ from: BEGINNING, now: "10:04:30.000", boundary: "10:05:30.000", until: "10:07:00.000" });
    expect([made[0], made[1], made[2]]).toEqual(checks("10:04:30", "10:05:00", "10:05:20"));
    expect(made.slice(-2)).toEqual(["10:05:32.000 snapshot", "10:06:00.000 check"]);
  });
});

describe("the boundary after the newest accepted reading", () => {
  it("is not known before slot time was measured between two snapshots", () => {
    expect(findBoundary(createLedger("mainnet"))).toBeNull();
    expect(findBoundary(tell(snapshot(0, crowd(3)), check(1, crowd(3))).ledger)).toBeNull();
  });

  it("is reckoned from it by measured slot time", () => {
    const { ledger } = tell(snapshot(0, crowd(3)), snapshot(10, crowd(3)), check(11, crowd(3)));
    const end = Date.parse(timeAt(SLOTS_IN_EPOCH / SLOTS_A_MINUTE));
    expect(findBoundary(ledger)).toEqual({ epoch: FIRST_EPOCH, at: end });
  });

  it("is the one just passed while votes are still of slots before it", () => {
    const minute = SLOTS_IN_EPOCH / SLOTS_A_MINUTE;
    const past = [snapshot(minute - 20, crowd(3)), snapshot(minute - 10, crowd(3))];
    const boundary = FIRST_EPOCH * SLOTS_IN_EPOCH + SLOTS_IN_EPOCH;
    const before = tell(...past, check(minute + 0.02, crowd(3), { slot: boundary - 1 })).ledger;
    expect(findBoundary(before)).toEqual({ epoch: FIRST_EPOCH, at: Date.parse(timeAt(minute)) });
    const after = tell(...past, check(minute + 0.02, crowd(3), { slot: boundary })).ledger;
    expect(findBoundary(after)).toEqual({ epoch: FIRST_EPOCH + 1, at: Date.parse(timeAt(2 * minute)) });
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

it("makes a snapshot once more that was refused, at once, and not a third time", () => {
  const facts = { now: at("10:00:01.000"), boundary: null, cadence: MINUTELY };
  const refused = afterSnapshot(going("10:00:00.000"), false);
  const again = nextTick(refused, facts);
  expect([toTime(again.tick.at), again.tick.kind]).toEqual(["10:00:02.000", "snapshot"]);
  const twice = nextTick(afterSnapshot(again.progress, false), { ...facts, now: again.tick.at });
  expect([toTime(twice.tick.at), twice.tick.kind]).toEqual(["10:01:00.000", "check"]);
  const accepted = nextTick(afterSnapshot(again.progress, true), { ...facts, now: again.tick.at });
  expect(accepted.tick).toEqual(twice.tick);
});

it("makes a snapshot in each epoch, however short, once its burst is over", () => {
  const cadence = { checkMilliseconds: 3_000, snapshotMilliseconds: 9_000 };
  const epochMilliseconds = 30_000;
  const epochs: number[] = [];
  let progress = BEGINNING;
  for (let now = 0; now < 20 * epochMilliseconds;) {
    const epoch = Math.floor(now / epochMilliseconds);
    const next = nextTick(progress, { now, boundary: { epoch, at: (epoch + 1) * epochMilliseconds }, cadence });
    ({ progress } = next);
    now = next.tick.at;
    if (next.tick.kind === "snapshot") epochs.push(Math.floor(now / epochMilliseconds));
  }
  expect([...new Set(epochs)].filter((epoch) => epoch > 0)).toEqual(
    Array.from({ length: 19 }, (_, index) => index + 1),
  );
});
