import { describe, expect, it } from "vitest";
import { describeDiagnosis } from "../../generator/commands/doctor.ts";
import { judgeSettings } from "../../generator/service/doctor.ts";
import { runCheck, toFinding, toSpan } from "../../generator/service/doctor/check.ts";
import { clockAt, makeContext } from "../service/doctor/node.ts";
import { diagnoseSettings } from "../../generator/settings/settings.ts";

it("the text of a diagnosis has a line a finding, what to do below it, and ends with what it comes to", () => {
  const findings = [
    toFinding("ok", "clock", "fine", "Advice is for what is not ok."),
    toFinding("problem", "state store", "full", "Make room."),
  ];
  const sections = [{ title: "T", findings }];
  const counts = { ok: 1, warning: 0, problem: 1 };
  const diagnosis = {
    command: "doctor",
    network: "all",
    healthy: false,
    counts,
    sections,
    durationMs: 1234,
  } as const;
  expect(
    describeDiagnosis(diagnosis, (style, text) =>
      style === "ok" ? text : `<${style}>${text}`,
    ).split("\n"),
  ).toEqual([
    "<title>T",
    "  ok       clock: fine",
    "  <problem>problem  state store: full",
    "<advice>           → Make room.",
    "",
    "<problem>Fix what the lines beginning with problem name. 1 problem, 0 warnings, 1 ok, in 1.2 s.",
  ]);
  const healthy = { ...diagnosis, healthy: true, counts: { ...counts, problem: 0 } };
  expect(describeDiagnosis(healthy, (_, text) => text)).toContain(
    "\n\nEverything needed works. 0 problems, 0 warnings, 1 ok",
  );
});

it("a finding holds nothing that could steer a terminal, and no whole page of a stranger", () => {
  const { found } = toFinding("ok", "x", `\u001b[31mred\u001b[0m\nline\u202e${"y".repeat(9000)}`);
  expect(found).toMatch(/^red liney+$/);
  expect(found.length).toBe(2000);
});

describe("a check", () => {
  it("that throws is a finding", async () => {
    const findings = await runCheck("x", () => Promise.reject(new Error("ouch")), makeContext());
    expect(findings).toMatchObject([
      { level: "problem", subject: "x", found: "could not be examined: ouch" },
    ]);
  });

  it("that never ends is a finding when its time is over", async () => {
    const slept: number[] = [];
    const sleepUntil = (time: number) => Promise.resolve(void slept.push(time));
    const context = makeContext({ clock: { ...clockAt(() => 1000), sleepUntil } });
    const findings = await runCheck("x", () => new Promise(() => undefined), context);
    const found = "could not be examined: no end after 20 s";
    const advice = expect.stringContaining("disk or server hangs") as string;
    expect(findings).toMatchObject([{ level: "problem", found, advice }]);
    expect(slept).toEqual([21_000]);
  });

  it("that ends leaves no alarm behind", async () => {
    let alarm: AbortSignal | undefined;
    const sleepUntil = (_: number, signal?: AbortSignal) => (
      (alarm = signal),
      new Promise<void>(() => undefined)
    );
    await runCheck(
      "x",
      () => Promise.resolve([]),
      makeContext({ clock: { ...clockAt(), sleepUntil } }),
    );
    expect(alarm?.aborted).toBe(true);
  });
});

describe("the settings", () => {
  it("are named, and never shown by value; each that is wrong is a problem", () => {
    const given = { MAINNET_RPC_URLS: "hunter2", STAKE_SCAN_MINUTES: "often", GEO_CITY_MMDB: "" };
    const diagnosis = diagnoseSettings(given);
    expect(diagnosis.settings).toBeNull();
    const findings = judgeSettings(diagnosis);
    expect(findings.map(({ level, found }) => `${level} ${found.split(" ")[0]}`)).toEqual([
      "ok MAINNET_RPC_URLS,",
      "problem MAINNET_RPC_URLS",
      "problem STAKE_SCAN_MINUTES",
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  it.each([
    ["CHECK_SECOND", "CHECK_SECONDS"],
    ["MAINET_RPC_URLS", "MAINNET_RPC_URLS"],
    ["METRICS_PROT", "METRICS_PORT"],
    ["TESTNET_RPC_URL", "TESTNET_RPC_URLS"],
  ])("that are misspelt are a warning: %s", (name, meant) => {
    const findings = judgeSettings(
      diagnoseSettings({ [name]: "hunter2", HOME: "/root", RUGWATCH_SOAK: "1" }),
    );
    expect(findings.slice(1)).toMatchObject([
      { level: "warning", found: `${name}; did you mean ${meant}?` },
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });
});

it.each([
  [3, "3 ms"],
  [1_400, "1.4 s"],
  [119_000, "119.0 s"],
  [120_000, "2 min"],
  [-7_200_000, "2 h"],
  [61 * 86_400_000, "61 days"],
])("%s ms are read as %s", (milliseconds, text) => {
  expect(toSpan(milliseconds)).toBe(text);
});
