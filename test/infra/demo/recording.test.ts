import { beforeAll, describe, expect, it } from "vitest";
import type { Entry } from "../../../generator/entries/entry.ts";
import { fromRecording, readRecording, RECORDED_FROM } from "../../../infra/demo/recording.ts";
import { RECORDED_MILLISECONDS } from "../../../infra/demo/script.ts";

const LATER = 86_400_000 + 7_000;
const HERE = ["http://127.0.0.1:1/a", "http://127.0.0.1:2/b", "http://127.0.0.1:3/c"];

describe("a recording", () => {
  let [recorded, moved]: [Entry[], Entry[]] = [[], []];
  beforeAll(async () => {
    const recording = await readRecording("alpenglow");
    const play = (startsAt: number) => fromRecording(recording, { startsAt, rpcUrls: HERE });
    [recorded, moved] = await Promise.all([play(RECORDED_FROM), play(RECORDED_FROM + LATER)]);
  });

  it("begins when the script does, and ends where the live clusters go on", () => {
    const times = recorded.map(({ time }) => Date.parse(time));
    expect(times[0]).toBe(RECORDED_FROM);
    expect(times.at(-1)).toBe(RECORDED_FROM + RECORDED_MILLISECONDS);
  });

  it("that is moved differs in its times, all by the same, and in nothing else", () => {
    const timeless = (entries: Entry[]) => toText(entries).replaceAll(TIMES, "");
    expect(timeless(moved)).toBe(timeless(recorded));
    expect(timesOf(moved)).toEqual(timesOf(recorded).map((time) => time + LATER));
  });

  it("has every kind of time to be moved", () => {
    const kinds = new Set(Array.from(toText(recorded).matchAll(TIMES), ([, kind]) => kind));
    expect(kinds).toEqual(new Set(["time", "asOf", "blockTime"]));
    expect(toText(recorded).match(/20\d\d-\d\d-\d\dT/g)).toHaveLength(
      [...toText(recorded).matchAll(/"(?:time|asOf)":/g)].length,
    );
  });

  it("names the endpoints of the stage, and no others", () => {
    const origins = new Set(toText(recorded).match(/https?:\/\/(?:127|\w+\.example\b)[^"#/]*/g));
    expect([...origins].filter((origin) => origin.includes("127.0.0.1")).toSorted()).toEqual(
      HERE.map((url) => new URL(url).origin),
    );
    expect([...origins].filter((origin) => /first|second|lagging/.test(origin))).toEqual([]);
  });
});

it("what is no recording is refused", async () => {
  const stage = { startsAt: RECORDED_FROM, rpcUrls: HERE };
  await expect(fromRecording(Buffer.from("{}"), stage)).rejects.toThrow();
});

const TIMES = /"(time|asOf|blockTime)":("[^"]*"|\d+)/g;

function timesOf(entries: Entry[]): number[] {
  return Array.from(toText(entries).matchAll(TIMES), ([, kind, time = ""]) =>
    kind === "blockTime" ? Number(time) * 1000 : Date.parse(JSON.parse(time) as string),
  );
}

function toText(entries: Entry[]): string {
  return JSON.stringify(entries, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}
