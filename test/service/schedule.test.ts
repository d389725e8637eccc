import { describe, expect, it } from "vitest";
import {
  afterSnapshot,
  BEGINNING,
  nextTick,
  toCadence,
  type Progress,
} from "../../generator/service/schedule.ts";

/** Milliseconds since 1970. */
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const toTime = (time: number) => new Date(time).toISOString().slice(11, 23);

const EPOCH = 1060;
const MINUTELY = toCadence(60);
const FAR = "23:00:00";

/** A schedule whose last observation was just now, without a burst. */
const going = (last: string, more: Partial<Progress> = {}): Progress => ({
  ...BEGINNING,
  last: at(last),
  owesSnapshot: false,
  ...more,
});

type Row = [
  last: string,
  now: string,
  next: string,
  facts?: { /** Seconds between two checks. */ every?: number; boundary?: string },
];

function expectNext(
  last: string,
  now: string,
  expected: string,
  { every = 60, boundary = FAR }: Row[3] = {},
): void {
  const facts = {
    now: at(now),
    boundary: { epoch: EPOCH, at: at(boundary) },
    cadence: toCadence(every),
  };
  const { tick } = nextTick(going(last), facts);
  expect(`${toTime(tick.at)} ${tick.kind}`.replace(".000 ", " ")).toBe(expected);
}

interface Play {
  from: Progress;
  now: string;
  boundary: string | ((time: number) => number);
  /** When the new epoch is seen; default: at the boundary. */
  changesAt?: string;
  takes?: number;
  until: string;
  every?: number;
}

function play({ from, now, boundary, changesAt, takes = 0, until, every = 60 }: Play): string[] {
  const changed = at(changesAt ?? (typeof boundary === "string" ? boundary : FAR));
  const made: string[] = [];
  let [progress, time, seen] = [from, at(now), at(now)];
  for (;;) {
    const expected = typeof boundary === "string" ? at(boundary) : boundary(seen);
    const known =
      seen < changed ? { epoch: EPOCH, at: expected } : { epoch: EPOCH + 1, at: at(FAR) };
    const next = nextTick(progress, { now: time, boundary: known, cadence: toCadence(every) });
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
    ["10:00:00", "10:00:00", "10:01:00 check"],
    ["10:00:00", "10:00:00.001", "10:01:00 check"],
    ["10:00:00", "10:00:59.999", "10:01:00 check"],
    ["23:58:00", "23:58:12", "23:59:00 check"],
    ["10:09:00", "10:09:00", "10:10:00 snapshot"],
    ["10:09:00", "10:09:59.999", "10:10:00 snapshot"],
    ["10:59:00", "10:59:01", "11:00:00 snapshot"],
    ["10:00:00", "10:00:00", "10:00:10 check", { every: 10 }],
    ["10:09:50", "10:09:50", "10:10:00 snapshot", { every: 10 }],
    ["10:09:57", "10:09:57", "10:10:00 snapshot", { every: 7 }],
    ["10:10:00", "10:10:00", "10:10:04 check", { every: 7 }],
    ["10:00:00", "10:00:00", "10:00:45 check", { every: 45 }],
  ])(
    "is a check by the cadence, and a snapshot on each tenth minute: %s, done %s, then %s (%o)",
    expectNext,
  );

  it.each<Row>([
    ["10:10:00", "10:11:05", "10:11:05 check"],
    ["10:05:00", "10:06:00", "10:06:00 check"],
    ["10:05:50", "10:06:02", "10:06:02 check"],
    ["10:10:00", "10:10:16", "10:10:16 check", { every: 10 }],
    ["10:08:00", "10:10:30", "10:10:30 snapshot"],
    ["10:09:50", "10:10:25", "10:10:25 snapshot", { every: 10 }],
    ["10:10:00", "10:10:59.999", "10:11:00 check"],
    ["10:05:20", "10:05:59", "10:06:00 check"],
    ["10:00:00", "10:21:30", "10:21:30 check"],
  ])(
    "is at once the one that fell due meanwhile, and no more than one: %s, done %s, then %s (%o)",
    expectNext,
  );

  it("is a snapshot at once where a schedule begins", () => {
    const facts = { now: at("10:03:07.000"), boundary: null, cadence: MINUTELY };
    const first = nextTick(BEGINNING, facts);
    expect(first.tick).toEqual({ at: facts.now, kind: "snapshot" });
    expect(nextTick(first.progress, facts).tick).toEqual({ at: at("10:04:00.000"), kind: "check" });
  });
});

describe("a clock that is set back", () => {
  it("by less than a check does not repeat it", () => {
    expectNext("10:05:00", "10:04:59.998", "10:06:00 check");
    expectNext("10:05:00", "10:04:00", "10:06:00 check");
  });

  it("by more keeps nobody waiting until it shows the last time again", () => {
    expectNext("15:05:00", "10:05:20", "10:06:00 check");
    expectNext("15:05:00", "10:09:20", "10:10:00 snapshot");
  });

  it("ends a burst and the pause after one, and forgets no snapshot", () => {
    const burst = { epoch: EPOCH, from: at("15:04:50") };
    const from = going("15:05:00", { burst, owesSnapshot: true, restUntil: at("15:05:50") });
    const made = play({ from, now: "10:05:20", boundary: "10:07:10", until: "10:07:05" });
    const burstAgain = checks("10:06:00", "10:07:00", "10:07:02", "10:07:04");
    expect(made).toEqual(["10:05:22.000 snapshot", ...burstAgain]);
  });
});

describe("the burst around a boundary", () => {
  const BOUNDARY = {
    from: going("10:05:00"),
    now: "10:05:00",
    boundary: "10:05:30",
    until: "10:07:00",
  };

  it.each<[string, Partial<Play>, string[]]>([
    // The boundary reads the new epoch; the minute is as ever.
    [
      "a check every two seconds until the new epoch was read",
      {},
      ["20", "22", "24", "26", "28", "30"],
    ],
    [
      "as many checks as there is time for",
      { changesAt: "10:05:36", takes: 5_000 },
      ["20", "26", "32", "38"],
    ],
  ])("is %s, from ten before", (_, change, seconds) => {
    const times = seconds.map((second) => `10:05:${second}`);
    expect(play({ ...BOUNDARY, ...change })).toEqual(checks(...times, "10:06:00"));
  });

  it("ends by what was accepted, however late, and not by the clock alone", () => {
    const made = play({ ...BOUNDARY, changesAt: "10:05:43" });
    expect(made.slice(-3)).toEqual(checks("10:05:42", "10:05:44", "10:06:00"));
    expect(made).toHaveLength(14);
  });

  it("lasts a minute at most where no reading of the new epoch is accepted, and does not begin anew", () => {
    const made = play({ ...BOUNDARY, changesAt: FAR, until: "10:09:00" });
    expect(made).toHaveLength(30 + 2);
    expect(made.slice(-3)).toEqual(checks("10:06:18", "10:07:00", "10:08:00"));
  });

  it("begins late where an observation was under way, and keeps its end", () => {
    const made = play({ ...BOUNDARY, now: "10:05:25.500", changesAt: FAR });
    expect(made.slice(0, 3)).toEqual(["10:05:25.500 check", ...checks("10:05:26", "10:05:28")]);
    expect(made.at(-1)).toBe("10:06:18.000 check");
  });

  it("takes the place of the checks on their time", () => {
    const options = {
      from: going("10:04:50"),
      now: "10:04:50",
      boundary: "10:05:12.500",
      until: "10:05:31",
    };
    const burst = ["02", "04", "06", "08", "10", "12"].map((second) => `10:05:${second}.500 check`);
    expect(play({ ...options, every: 10 })).toEqual([
      ...checks("10:05:00"),
      ...burst,
      ...checks("10:05:20", "10:05:30"),
    ]);
  });

  it("begins on a whole millisecond, though a boundary is measured in parts of one", () => {
    const boundary = { epoch: EPOCH, at: at("10:05:30") + 0.25 };
    const first = nextTick(going("10:05:00"), { now: at("10:05:00"), boundary, cadence: MINUTELY });
    const second = nextTick(first.progress, { now: first.tick.at, boundary, cadence: MINUTELY });
    expect([first.tick.at, second.tick.at]).toEqual([at("10:05:20") + 1, at("10:05:22") + 1]);
  });

  it("comes again where slots limp and the boundary is expected later, with a pause between", () => {
    const boundary = (time: number) => Math.max(at("10:05:30"), time + 20_000);
    const made = play({ ...BOUNDARY, boundary, until: "10:08:00" });
    const times = made.map((one) => at(one.slice(0, 12)));
    const bursts = made.filter((_, index) => times[index]! - (times[index - 1] ?? 0) > 2_000);
    expect(bursts).toEqual(checks("10:05:20", "10:06:28", "10:07:36"));
  });
});

describe("a snapshot near a boundary", () => {
  it.each<Row>([
    ["10:09:00", "10:09:00", "10:10:00 snapshot", { boundary: "10:11:40.001" }],
    ["10:09:00", "10:09:00", "10:10:00 check", { boundary: "10:11:40" }],
    ["10:09:00", "10:09:00", "10:10:00 check", { boundary: "10:10:45" }],
    ["10:09:00", "10:09:00", "10:10:00 check", { boundary: "10:10:10.001" }],
    ["10:09:00", "10:09:00", "10:10:00 check", { boundary: "10:10:10" }],
    ["10:09:00", "10:09:00", "10:09:00 check", { boundary: "10:09:00" }],
  ])("does not begin within 100 seconds before: %s, done %s, then %s (%o)", expectNext);

  const NEAR = { from: going("10:09:00"), now: "10:09:00", boundary: "10:09:50" };
  const FALLS_WITHIN = { ...NEAR, boundary: "10:10:45", changesAt: "10:10:46", until: "10:13:00" };
  const BEGINS = { from: BEGINNING, now: "10:04:30", boundary: "10:05:30", until: "10:07:00" };
  it.each<[string, Play, string, string[]]>([
    ["instead", FALLS_WITHIN, "10:10:49", ["10:11:00", "10:12:00"]],
    [
      "where it falls due within it",
      { ...NEAR, changesAt: "10:10:03", until: "10:12:00" },
      "10:10:06",
      ["10:11:00"],
    ],
    [
      "also when no new epoch was accepted",
      { ...NEAR, changesAt: FAR, until: "10:12:00" },
      "10:10:40",
      ["10:11:00"],
    ],
    ["where a schedule would begin with it", BEGINS, "10:05:32", ["10:06:00"]],
  ])("is made right after the burst, once, %s", (_, options, time, later) => {
    const made = play(options);
    expect(made.slice(-1 - later.length)).toEqual([`${time}.000 snapshot`, ...checks(...later)]);
    expect(made.filter((one) => one.endsWith("snapshot"))).toHaveLength(1);
    expect(made.slice(0, 3).filter((one) => one.endsWith("snapshot"))).toEqual([]);
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
    const next = nextTick(progress, {
      now,
      boundary: { epoch, at: (epoch + 1) * epochMilliseconds },
      cadence,
    });
    ({ progress } = next);
    now = next.tick.at;
    if (next.tick.kind === "snapshot") epochs.push(Math.floor(now / epochMilliseconds));
  }
  expect([...new Set(epochs)].filter((epoch) => epoch > 0)).toEqual(
    Array.from({ length: 19 }, (_, index) => index + 1),
  );
});
