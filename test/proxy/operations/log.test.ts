import { describe, expect, it } from "vitest";
import type { LogLevel } from "../../../proxy/operations/log.ts";
import { COMPLAINTS_MAX, createLog, REPEAT_MILLISECONDS } from "../../../proxy/operations/log.ts";
import { TEXT_MAX_CHARACTERS, toLogLine } from "../../../proxy/operations/log.ts";
import { SEEN_AT } from "../fixtures.ts";

describe("a line of the log", () => {
  it("is one line of JSON, whatever the error", () => {
    const line = toLogLine({ level: "error", message: "failed", error: new Error("a\nb") }, Date.parse(SEEN_AT));
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toMatchObject({ time: SEEN_AT, level: "error", message: "failed" });
    expect(toLogLine({ level: "info", message: "hello" }, 0)).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello"}\n',
    );
  });

  it("says what caused the error, and what caused that, but not for ever", () => {
    const error = new Error("no data", { cause: new TypeError("get a failed", { cause: new Error("no bucket") }) });
    expect(toLogLine({ level: "warn", message: "failed", error }, 0)).toContain(
      String.raw`\ncaused by TypeError: get a failed\ncaused by Error: no bucket"`,
    );
    const circle = new Error("again");
    circle.cause = circle;
    expect(toLogLine({ level: "warn", message: "failed", error: circle }, 0).split("caused by")).toHaveLength(5);
  });

  it("has what a machine reads beside the message", () => {
    const fields = { network: "mainnet", ageSeconds: 12, slot: null, stale: false };
    expect(JSON.parse(toLogLine({ level: "info", message: "snapshot loaded", fields }, 0))).toMatchObject(fields);
  });

  it("is printable: no text in it begins a line, commands a terminal or turns the direction of writing", () => {
    const hostile = "a\r\nb\u0000\u001b[2J\u009b2J\u007f\u2028\u202e\ufeff\ud800";
    const entry = { level: "warn", message: hostile, fields: { name: hostile }, error: new Error(hostile) } as const;
    const line = toLogLine(entry, 0);
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toMatchObject({ message: hostile, name: hostile });
  });

  it("is bounded, however long a text is", () => {
    const huge = "x".repeat(5_000_000);
    const line = toLogLine({ level: "warn", message: huge, fields: { name: huge }, error: new Error(huge) }, 0);
    expect(line.length).toBeLessThan(4 * TEXT_MAX_CHARACTERS);
    expect(line).toContain(`… (${5_000_000 - TEXT_MAX_CHARACTERS} more characters)`);
  });
});

describe("the log", () => {
  function open(level: LogLevel = "info") {
    const clock = { now: 0 };
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    const { log, flush } = createLog({ write, now: () => clock.now, level, always: { worker: 3 } });
    return { clock, lines, log, flush };
  }

  it("leaves out what is below its level, and says on every line whose it is", () => {
    const { lines, log } = open("warn");
    log({ level: "info", message: "a" });
    log({ level: "warn", message: "b" });
    expect(lines).toMatchObject([{ level: "warn", message: "b", worker: 3 }]);
  });

  it("makes one line and a count of a flood of equal complaints", () => {
    const { clock, lines, log } = open();
    for (let time = 0; time < 10_000; time++) log({ level: "warn", message: "down", error: new Error(String(time)) });
    expect(lines).toHaveLength(1);
    clock.now = REPEAT_MILLISECONDS;
    log({ level: "warn", message: "down" });
    expect(lines.slice(1)).toMatchObject([
      { level: "warn", message: "down", repeated: 9_999 },
      { level: "warn", message: "down" },
    ]);
  });

  it("tells the count at the end, once", () => {
    const { lines, log, flush } = open();
    for (let time = 0; time < 3; time++) log({ level: "error", message: "down" });
    flush();
    flush();
    expect(lines).toMatchObject([{ message: "down" }, { message: "down", repeated: 2 }]);
  });

  it("tells no more than so many different complaints a minute, and how many it left out", () => {
    const { clock, lines, log } = open();
    for (let time = 0; time < 10_000; time++) log({ level: "error", message: `GET /${time} failed` });
    expect(lines).toHaveLength(COMPLAINTS_MAX);
    clock.now = REPEAT_MILLISECONDS;
    log({ level: "error", message: "GET / failed" });
    expect(lines.slice(COMPLAINTS_MAX)).toMatchObject([
      { leftOut: 10_000 - COMPLAINTS_MAX },
      { message: "GET / failed" },
    ]);
  });

  it("tells every change of state", () => {
    const { lines, log } = open();
    for (let time = 0; time < 3; time++) log({ level: "info", message: "snapshot loaded" });
    expect(lines).toHaveLength(3);
  });

  it("is not silenced by a clock that is set back", () => {
    const { clock, lines, log } = open();
    clock.now = 3_600_000;
    log({ level: "warn", message: "down" });
    clock.now = 0;
    log({ level: "warn", message: "down" });
    expect(lines).toHaveLength(2);
  });
});
