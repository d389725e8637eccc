import { describe, expect, it } from "vitest";
import { createSystemClock } from "../../generator/service/context.ts";
import type { Diagnosis } from "../../generator/service/doctor.ts";
import { toGrouped, toSpan } from "../../generator/service/doctor/findings.ts";
import { guard, ok, problem, warning, type Finding } from "../../generator/service/doctor/findings.ts";
import { examineNode } from "../../generator/service/doctor.ts";
import { examineSettings } from "../../generator/service/doctor.ts";
import { toText } from "../../generator/commands/doctor.ts";
import { diagnoseSettings } from "../../generator/settings/settings.ts";

function diagnose(...findings: Finding[]): Diagnosis {
  const counts = { ok: 0, warning: 0, problem: 0 };
  for (const { level } of findings) counts[level] += 1;
  const healthy = counts.problem === 0;
  return { command: "doctor", network: "all", healthy, counts, sections: [{ title: "T", findings }], durationMs: 1234 };
}

const plain = { paint: (_: string, text: string) => text, columns: 60 };

describe("the text of a diagnosis", () => {
  it("has a line a finding, what to do below it, and ends with what it comes to", () => {
    const endpoint = "https://an-endpoint.example.org#0";
    const text = toText(
      diagnose(ok("clock", "fine"), problem("state store", "full", "Make room."), ok(endpoint, "84 ms")),
      plain,
    );
    expect(text).toBe(
      [
        "T",
        "  ok       clock        fine",
        "  problem  state store  full",
        "           → Make room.",
        "  ok       https://an-endpoint.example.org#0",
        "           84 ms",
        "",
        "Fix what the lines beginning with problem name. 1 problem, 0 warnings, 2 ok, in 1.2 s.",
      ].join("\n"),
    );
  });

  it("breaks between words, under what it goes on with", () => {
    const long = "one two three four five six seven eight nine ten eleven";
    expect(
      toText(diagnose(warning("x", long, long)), plain)
        .split("\n")
        .slice(1, 5),
    ).toEqual([
      "  warning  x  one two three four five six seven eight nine",
      "              ten eleven",
      "           → one two three four five six seven eight nine",
      "             ten eleven",
    ]);
  });

  it("says that all is well although there are warnings", () => {
    expect(toText(diagnose(warning("x", "y", "z")), plain)).toContain(
      "Everything needed works. 0 problems, 1 warning, 0 ok",
    );
  });

  it("is coloured by level", () => {
    const paint = (style: string, text: string) => `<${style}>${text}</${style}>`;
    const text = toText(diagnose(warning("x", "y", "z")), { paint, columns: 60 });
    expect(text).toContain("<title>T</title>\n  <warning>warning</warning>  x  y\n           <advice>→ z</advice>");
  });
});

describe("a finding", () => {
  it("holds nothing that could steer a terminal, and no whole page of a stranger", () => {
    const { found } = ok("x", `\u001b[31mred\u001b[0m\nline\u202e${"y".repeat(1000)}`);
    expect(found).toMatch(/^red liney+…$/);
    expect(found.length).toBeLessThan(410);
  });
});

describe("a look", () => {
  const clock = createSystemClock();

  it("that throws is a finding", async () => {
    const findings = await guard({ clock, subject: "x", milliseconds: 1000 }, () => Promise.reject(new Error("ouch")));
    expect(findings).toMatchObject([{ level: "problem", subject: "x", found: "could not be examined: ouch" }]);
  });

  it("that never ends is a finding when its time is over", async () => {
    const slept: number[] = [];
    const fast = { ...clock, now: () => 1000, sleepUntil: (time: number) => Promise.resolve(void slept.push(time)) };
    const findings = await guard(
      { clock: fast, subject: "x", milliseconds: 50_000 },
      () => new Promise(() => undefined),
    );
    expect(findings).toMatchObject([{ level: "problem", found: "no end after 50 s" }]);
    expect(slept).toEqual([51_000]);
    const waitingFor = new Map([["state store", "s3://state: list"]]);
    const named = await guard(
      { clock: fast, subject: "x", milliseconds: 50_000, waitingFor },
      () => new Promise(() => undefined),
    );
    expect(named).toMatchObject([{ subject: "state store", found: "no end after 50 s: s3://state: list" }]);
  });

  it("that ends leaves no alarm behind", async () => {
    let isStopped = false;
    const watched = {
      ...clock,
      sleepUntil: (_: number, signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal?.addEventListener("abort", () => {
            isStopped = true;
            resolve();
          });
        }),
    };
    const found = [ok("x", "y")];
    expect(await guard({ clock: watched, subject: "x", milliseconds: 1000 }, () => Promise.resolve(found))).toBe(found);
    expect(isStopped).toBe(true);
  });
});

describe("the version of Node", () => {
  it.each([
    ["24.21.0", "24\n", "ok"],
    ["24.21.0", "v24.21", "ok"],
    ["24.2.0", "24.21", "warning"],
    ["2.4.0", "24", "warning"],
    ["24.21.0", null, "ok"],
  ])("%s where .nvmrc says %j is %s", (running, wanted, level) => {
    expect(examineNode({ running, wanted })).toMatchObject({ level });
  });
});

describe("the settings", () => {
  it("are told by name: which are set, which are not, and never their values", () => {
    const findings = examineSettings(
      diagnoseSettings({ MAINNET_RPC_URLS: "https://rpc.example/hunter2", GEO_CITY_MMDB: "" }),
    );
    expect(findings).toMatchObject([
      { level: "ok", subject: "set", found: "MAINNET_RPC_URLS" },
      { level: "ok", subject: "default", found: expect.stringContaining("GEO_CITY_MMDB") as string },
    ]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  it("that are wrong are a problem each", () => {
    const reading = diagnoseSettings({ MAINNET_RPC_URLS: "hunter2", STAKE_SCAN_MINUTES: "often" });
    expect(reading.settings).toBeNull();
    const wrong = examineSettings(reading).filter(({ level }) => level === "problem");
    expect(wrong.map(({ found }) => found.split(" ")[0])).toEqual(["MAINNET_RPC_URLS", "STAKE_SCAN_MINUTES"]);
    expect(JSON.stringify(wrong)).not.toContain("hunter2");
    expect(wrong.map(({ advice }) => advice)).toEqual([null, expect.stringContaining("README.md") as string]);
  });

  it.each([
    ["CHECK_SECOND", "CHECK_SECONDS"],
    ["MAINET_RPC_URLS", "MAINNET_RPC_URLS"],
    ["METRICS_PROT", "METRICS_PORT"],
    ["TESTNET_RPC_URL", "TESTNET_RPC_URLS"],
  ])("that are misspelt are a warning: %s", (name, meant) => {
    const findings = examineSettings(diagnoseSettings({ [name]: "hunter2", HOME: "/root", RUGWATCH_SOAK: "1" }));
    const [misspelt, ...others] = findings.filter(({ level }) => level !== "ok");
    expect(misspelt).toMatchObject({ level: "warning", found: `${name}; did you mean ${meant}?` });
    expect(others).toEqual([]);
    expect(JSON.stringify(findings)).not.toContain("hunter2");
  });

  it("that make one store of both are a problem", () => {
    const findings = examineSettings(diagnoseSettings({ RUGWATCH_PUBLIC: "file:here", RUGWATCH_STATE: "file:here" }));
    expect(findings.at(-1)).toMatchObject({
      level: "problem",
      found: expect.stringContaining("never be public") as string,
    });
  });
});

describe("figures", () => {
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

  it("have their digits in groups", () => {
    expect(toGrouped(312_455_001)).toBe("312,455,001");
  });
});
