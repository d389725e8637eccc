import { describe, expect, it } from "vitest";
import {
  COMPLAINTS_MAX,
  createLog,
  createRedaction,
  TEXT_MAX_CHARACTERS,
  toLogLine,
} from "../../proxy/log.ts";
import { getSecrets, readSettings } from "../../proxy/settings.ts";
import { SEEN_AT } from "./fixtures.ts";

describe("a line of the log", () => {
  it("is one line of JSON, whatever the error, with what a machine reads beside the message", () => {
    const fields = { network: "mainnet", ageSeconds: 12, slot: null, stale: false };
    const entry = { level: "error", message: "failed", error: new Error("a\nb"), fields } as const;
    const line = toLogLine(entry, Date.parse(SEEN_AT));
    expect(line.trimEnd()).not.toContain("\n");
    expect(JSON.parse(line)).toMatchObject({
      time: SEEN_AT,
      level: "error",
      message: "failed",
      ...fields,
    });
    expect(toLogLine({ level: "info", message: "hello" }, 0)).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"hello"}\n',
    );
  });

  it("says what caused the error, and what caused that, but not for ever", () => {
    const error = new Error("no data", {
      cause: new TypeError("get a failed", { cause: new Error("no bucket") }),
    });
    expect(toLogLine({ level: "warn", message: "failed", error }, 0)).toContain(
      String.raw`\ncaused by TypeError: get a failed\ncaused by Error: no bucket"`,
    );
    const circle = new Error("again");
    circle.cause = circle;
    expect(
      toLogLine({ level: "warn", message: "failed", error: circle }, 0).split("caused by"),
    ).toHaveLength(5);
  });

  it("is printable: no text in it begins a line, commands a terminal or turns the direction of writing", () => {
    const hostile = "a\r\nb\u0000\u001b[2J\u009b2J\u007f\u2028\u202e\ufeff\ud800";
    const entry = {
      level: "warn",
      message: hostile,
      fields: { name: hostile },
      error: new Error(hostile),
    } as const;
    const line = toLogLine(entry, 0);
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toMatchObject({ message: hostile, name: hostile });
  });

  it("is bounded, however long a text is", () => {
    const huge = "x".repeat(5_000_000);
    const line = toLogLine(
      { level: "warn", message: huge, fields: { name: huge }, error: new Error(huge) },
      0,
    );
    expect(line.length).toBeLessThan(4 * TEXT_MAX_CHARACTERS);
    expect(line).toContain(`… (${5_000_000 - TEXT_MAX_CHARACTERS} more characters)`);
  });
});

describe("the log", () => {
  function open(level: "info" | "warn" = "info") {
    const clock = { now: 3_600_000 };
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    return { clock, lines, log: createLog({ write, now: () => clock.now, level }) };
  }

  it("leaves out what is below its level", () => {
    const { lines, log } = open("warn");
    log({ level: "info", message: "a" });
    log({ level: "warn", message: "b" });
    expect(lines).toMatchObject([{ level: "warn", message: "b" }]);
  });

  it.each([60_000, -1])(
    "tells so many complaints a minute, how many it left out, and every change of state; %i ms",
    (passed) => {
      const { clock, lines, log } = open();
      for (let time = 0; time < 1_000; time++)
        log({ level: time % 2 === 0 ? "warn" : "error", message: `GET /${time}` });
      expect(lines).toHaveLength(COMPLAINTS_MAX);
      for (let time = 0; time < 3; time++) log({ level: "info", message: "snapshot loaded" });
      clock.now += passed;
      log({ level: "error", message: "again" });
      const leftOut = { message: "left out further complaints", leftOut: 1_000 - COMPLAINTS_MAX };
      const changes = Array<object>(3).fill({ message: "snapshot loaded" });
      expect(lines.slice(COMPLAINTS_MAX)).toMatchObject([
        ...changes,
        leftOut,
        { message: "again" },
      ]);
    },
  );
});

describe("what a log leaves out", () => {
  const ADDRESSES = [
    "https://rpc.example/v2/0a1b2c3d4e5f60718293",
    "https://user:pa%24%24word@rpc.example",
    "https://rpc.example/?api-key=abcdef0123456789",
  ];

  it.each([
    ["an address", `fetch ${ADDRESSES[0]} failed`],
    ["a path alone", "GET /v2/0a1b2c3d4e5f60718293 HTTP/1.1"],
    ["a password as it was written", "AUTH user pa%24%24word"],
    ["a password as it was meant", "AUTH user pa$$word"],
    ["a query", "?api-key=abcdef0123456789"],
    ["a value of a query", "bad key abcdef0123456789"],
  ])("is %s", (_, text) => {
    expect(createRedaction(ADDRESSES)(text)).not.toMatch(/0a1b2c|pa%24|pa\$\$|abcdef/);
  });

  it("is no address without a path, which holds no key and tells who failed", () => {
    const text = `https://rpc.example#0 getEpochInfo: ENOTFOUND ${"x".repeat(5_000)}`;
    expect(createRedaction(["https://rpc.example", "https://rpc.example/"])(text)).toBe(text);
  });

  it("is every secret of the settings, in an error and the causes of it", () => {
    const settings = readSettings({
      MAINNET_RPC_URLS:
        "https://one.example/k3y-of-one-0123,https://two.example/?k=k3y-of-two-0123",
      VALKEY_URL: "valkey://operator:k3y-of-valkey@cache.example",
      RUGWATCH_PUBLIC: "https://data.example/k3y-of-store-0123",
    });
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const log = createLog({
      write,
      now: () => 0,
      level: "info",
      redact: createRedaction(getSecrets(settings)),
    });
    const secrets = ["k3y-of-one-0123", "k3y-of-two-0123", "k3y-of-valkey", "k3y-of-store-0123"];
    for (const secret of secrets) {
      const cause = new Error(`GET /${secret}`, { cause: new Error(secret) });
      log({ level: "warn", message: "failed", error: new Error(`no ${secret}`, { cause }) });
      log({ level: "warn", message: "of a library that throws what is no error", error: secret });
    }
    expect(lines).toHaveLength(2 * secrets.length);
    expect(lines.join("")).not.toContain("k3y");
  });
});
