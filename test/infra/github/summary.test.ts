import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Diagnosis } from "../../../generator/service/doctor.ts";
import { createReport, sumReports, type Report } from "../../../generator/service/report.ts";
import { toSummary } from "../../../infra/github/summary.ts";
import { makeDirectory } from "../../store/directory.ts";
import { ROOT } from "../_files.ts";

const runFor25m = (report: Partial<Report> = {}): Report => ({
  ...createReport("run", "all"),
  accepted: true,
  observations: 84,
  stored: 26,
  published: 25,
  snapshotAt: "2026-11-20T00:20:00.000Z",
  pending: 1,
  pendingSince: "2026-11-20T00:07:00.000Z",
  events: 2,
  documents: { rendered: 12_345, written: 1_234, unchanged: 11_111 },
  puts: 1_300,
  lists: 90,
  bytes: 23_456_789,
  durationMs: 1_503_400,
  ...report,
});

const summarise = (report: Report, outcome = "success") =>
  toSummary({ command: "run --for 50m", outcome, output: JSON.stringify(report) });
const summarise25m = (report: Partial<Report>) => summarise(runFor25m(report));

const toSeen = (markdown: string) =>
  markdown.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
const seeRefused = (...reasons: string[]) =>
  toSeen(summarise25m({ rejected: reasons.map((reason) => ({ reason })) }));

const codePoint = fc.oneof(fc.integer({ min: 0, max: 127 }), fc.integer({ min: 0, max: 0x10ffff }));
const anyText = fc
  .array(codePoint, { maxLength: 40 })
  .map((codes) => String.fromCodePoint(...codes));

describe("the summary of a run", () => {
  it("shows its figures", () => {
    expect(toSeen(summarise(runFor25m()))).toBe(
      [
        "## generate run --for 50m: success",
        "",
        "| network | all |",
        "| --- | --- |",
        "| entries folded | 84 |",
        "| entries stored | 26 |",
        "| newest snapshot published | 2026-11-20T00:20:00.000Z |",
        "| observations accepted | all |",
        "| observations refused | 0 |",
        "| changes pending | 1, the oldest since 2026-11-20T00:07:00.000Z |",
        "| events recorded | 2 |",
        "| documents written | 1,234 of 12,345 rendered |",
        "| puts | 1,300, 23.5 MB |",
        "| listings | 90 |",
        "| duration | 25 min 3 s |",
        "",
      ].join("\n"),
    );
  });

  it("counts equal refusals, the most frequent first, each with its network", () => {
    const behind = { reason: "the node is behind" };
    const silent = { reason: "no endpoint answers" };
    const mainnet = { ...createReport("run", "mainnet"), accepted: false, rejected: [silent] };
    const testnet = {
      ...createReport("run", "testnet"),
      accepted: true,
      rejected: [behind, behind],
    };
    const seen = toSeen(summarise(sumReports("run", [mainnet, testnet])));
    expect(seen).toContain(
      "| observations accepted | some refused |\n| observations refused | 3 |",
    );
    expect(seen).toContain(
      "### Refused observations\n\n| count | reason |\n| --- | --- |\n| 2 | testnet: the node is behind |\n| 1 | mainnet: no endpoint answers |\n",
    );
  });

  it("names what was set aside, what was compacted, and why nothing was published", () => {
    const left = "mainnet: 3 exports left for the next runs";
    const quarantined = [{ object: "journal/mainnet/0001/x.json.zst", reason: "cut" }];
    const skipped = "another generator is publishing";
    const seen = toSeen(
      summarise25m({ quarantined, warnings: ["ops is dead"], upkeep: [left, left], skipped }),
    );
    const head = "\n\n| count | reason |\n| --- | --- |\n";
    expect(seen).toContain(
      `### Unusable objects${head}| 1 | journal/mainnet/0001/x.json.zst: cut |`,
    );
    expect(seen).toContain(`### Warnings${head}| 1 | ops is dead |`);
    expect(seen).toContain(`### Upkeep${head}| 2 | ${left} |`);
    expect(seen).toContain(`| not published | ${skipped} |`);
  });

  it("begins with what failed, and says that nothing was published", () => {
    const failure = "nothing was published: 1 entry of the journal cannot be read";
    const seen = toSeen(
      summarise25m({ failure, snapshotAt: null, pending: 0, pendingSince: null }),
    );
    expect(seen).toContain(`| network | all |\n| --- | --- |\n| failed | ${failure} |\n`);
    expect(seen).toContain("| newest snapshot published | none |");
    expect(seen).toContain("| changes pending | 0 |");
  });

  it("shows twenty reasons, and how many more there were", () => {
    const seen = seeRefused(...Array.from({ length: 23 }, (_, index) => `reason ${index}`));
    expect(seen).toContain("| 1 | reason 19 |\n\nand 3 more\n");
    expect(seen).not.toContain("reason 20");
  });

  it("lets no text of a stranger form anything: no row, link, image, heading or markup", () => {
    const [before = "", after = ""] = summarise25m({ rejected: [{ reason: "ordinary" }] }).split(
      "ordinary",
    );
    fc.assert(
      fc.property(anyText, (reason) => {
        const markdown = summarise25m({ rejected: [{ reason }] });
        expect([markdown.startsWith(before), markdown.endsWith(after)]).toEqual([true, true]);
        expect(markdown.slice(before.length, markdown.length - after.length)).toMatch(
          /^(?:[\p{L}\p{N} ]|&#\d+;)*$/u,
        );
      }),
    );
    const hostile =
      "</td>|<img src=https://evil.example>\n# [here](javascript:alert(1)) `x` @everyone www.evil.x";
    expect(summarise25m({ rejected: [{ reason: hostile }] })).not.toMatch(/[<>[\]()`@*_!]|www\./);
    expect(seeRefused(hostile)).toContain(hostile.replace("\n", " "));
  });

  it("cuts a long reason, not through a character", () => {
    expect(seeRefused(`${"x".repeat(399)}😀 and on`)).toContain(`| ${"x".repeat(399)}… |`);
  });
});

describe("the summary of another command", () => {
  it("says of a rebuild how much differs from what is published", () => {
    const report = {
      ...createReport("rebuild", "mainnet"),
      differences: 3,
      rebuild: { entries: 7, stopped: null },
    };
    const output = JSON.stringify(report);
    const seen = toSeen(toSummary({ command: "rebuild --verify", outcome: "failure", output }));
    expect(seen).toContain("## generate rebuild --verify: failure\n");
    expect(seen).toContain("| observations accepted | none made |");
    expect(seen).toContain("| differences from the published documents | 3 |");
  });
});

describe("the summary of a run that failed", () => {
  it.each([
    ["wrote nothing", ""],
    ["was killed in the middle of its line", '{"command":"run","net'],
    ["wrote something else", '{"command":"run"}'],
    ["wrote a number", "7"],
  ])("says so where it %s", (_, written) => {
    const seen = toSeen(toSummary({ command: "snapshot", outcome: "failure", output: written }));
    expect(seen).toBe(
      "## generate snapshot: failure\n\nThe step ended without a report. Read the end of its log.\n",
    );
  });

  it("shows the report of one that was cancelled after it wrote it", () => {
    const seen = toSeen(summarise(runFor25m({ durationMs: 59_400 }), "cancelled"));
    expect(seen).toContain("## generate run --for 50m: cancelled");
    expect(seen).toContain("| duration | 59 s |");
  });

  it("says that the job never came to it", () => {
    const seen = toSeen(toSummary({ command: "snapshot", outcome: "", output: "" }));
    expect(seen).toContain("## generate snapshot: not reached");
  });
});

describe("the summary of a diagnosis", () => {
  it("is a line for each finding, with what to do", () => {
    const finding = {
      level: "problem",
      subject: "state",
      found: "access denied",
      advice: "Allow s3:PutObject.",
    } as const;
    const diagnosis: Diagnosis = {
      ...{ command: "doctor", network: "mainnet", healthy: false, durationMs: 12 },
      counts: { ok: 0, warning: 0, problem: 1 },
      sections: [{ title: "Stores", findings: [finding] }],
    };
    const output = `not of it\n${JSON.stringify(diagnosis)}\n`;
    expect(toSeen(toSummary({ command: "doctor", outcome: "failure", output }))).toBe(
      [
        "## generate doctor: failure",
        "",
        "|  | subject | found | to do |",
        "| --- | --- | --- | --- |",
        "| problem | Stores: state | access denied | Allow s3:PutObject. |",
        "",
      ].join("\n"),
    );
  });
});

it("the program reads the output of the generator's step, or none, and fails where it cannot be read", async () => {
  const { directory, remove } = await makeDirectory();
  onTestFinished(remove);
  const program = new URL("infra/github/summary.ts", ROOT).pathname;
  const file = join(directory, "generate.out");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [program, ...args], { encoding: "utf8" });
  const never = run(file, "run --for 50m", "skipped");
  expect(never).toMatchObject({
    status: 0,
    stdout: expect.stringContaining("skipped\n\nThe step ended") as string,
  });
  await writeFile(file, `${JSON.stringify({ ...createReport("publish", "mainnet"), puts: 17 })}\n`);
  const { status, stdout } = run(file, "publish", "success");
  expect(status).toBe(0);
  expect(toSeen(stdout)).toMatch(/^## generate publish: success[^]*\| puts \| 17, /);
  expect(run(directory, "publish", "success").status).toBe(1);
});
