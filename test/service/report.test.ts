import { describe, expect, it } from "vitest";
import { toQuarantined } from "../../generator/service/projection/quarantined.ts";
import {
  addReport,
  createReport,
  sumReports,
  type Report,
} from "../../generator/service/report.ts";
import { toLine } from "../../generator/commands/report-line.ts";

const report = (changes: Partial<Report> = {}): Report => ({
  ...createReport("check", "mainnet"),
  ...changes,
});

describe("a new report", () => {
  it("says that nothing was done, and has every field of the last line of --json", () => {
    expect(createReport("snapshot", "testnet")).toEqual({
      ...{
        command: "snapshot",
        network: "testnet",
        accepted: null,
        rejected: [],
        quarantined: [],
        skipped: null,
      },
      ...{
        observations: 0,
        stored: 0,
        published: 0,
        snapshotAt: null,
        pending: 0,
        pendingSince: null,
        events: 0,
        documents: { rendered: 0, written: 0, unchanged: 0 },
      },
      ...{ puts: 0, lists: 0, bytes: 0, warnings: [], upkeep: [], durationMs: 0 },
    });
  });
});

describe("the sum of reports", () => {
  it("adds up every count, lasts as long as its longest part, and leaves the parts as they were", () => {
    const counts = { observations: 2, events: 3, pending: 1, puts: 5, lists: 7, bytes: 11 };
    const documents = { rendered: 13, written: 8, unchanged: 5 };
    const one = report({ ...counts, documents, durationMs: 40 });
    const other = { ...one, network: "testnet" as const, durationMs: 70 };
    const before = structuredClone([one, other]);
    expect(sumReports("check", [one, other])).toMatchObject({
      ...{ network: "all", observations: 4, events: 6, pending: 2, puts: 10, lists: 14, bytes: 22 },
      documents: { rendered: 26, written: 16, unchanged: 10 },
      durationMs: 70,
    });
    expect([one, other]).toEqual(before);
  });

  it("says of which network each upkeep, each refusal and each silence is, also where others could be read", () => {
    const upkeep = ["20 entries of 2026-11-20 packed to 400 bytes"];
    const facts = { upkeep, rejected: [{ reason: "node behind" }] };
    const total = sumReports("check", [
      report({ ...facts, unread: "gone" }),
      report({ ...facts, network: "alpenglow" }),
    ]);
    expect(total).toMatchObject({
      unread: "mainnet: gone",
      upkeep: [`mainnet: ${upkeep[0]!}`, `alpenglow: ${upkeep[0]!}`],
      rejected: [{ reason: "mainnet: node behind" }, { reason: "alpenglow: node behind" }],
    });
    expect(toLine(total)).toContain(` · ${total.upkeep.join(" · ")} · `);
    expect(sumReports("check", [report(), report()])).not.toHaveProperty("unread");
  });

  it("is as old as the oldest of them, and says of each what it failed to do", () => {
    const [early, late] = ["2026-11-20T00:00:00.000Z", "2026-11-20T00:10:00.000Z"];
    const failure = "nothing was stored: behind";
    const total = sumReports("run", [
      report({ snapshotAt: late, pendingSince: null, failure }),
      report({ network: "testnet", snapshotAt: early, pendingSince: late, failure }),
    ]);
    expect(total).toMatchObject({
      snapshotAt: early,
      pendingSince: late,
      failure: `mainnet: ${failure}; testnet: ${failure}`,
    });
  });

  it.each<[Report["accepted"][], Report["accepted"]]>([
    [[null, null], null],
    [[true, null], true],
    [[null, true], true],
    [[true, true], true],
    [[true, false], false],
    [[false, true], false],
    [[null, false], false],
  ])("of observations accepted %j is accepted %j", (parts, accepted) => {
    const reports = parts.map((part) => report({ accepted: part }));
    expect(sumReports("check", reports).accepted).toBe(accepted);
  });
});

describe("the report of a run of one network", () => {
  it("counts as pending what was pending last, and keeps why something was not published", () => {
    const total = report();
    addReport(total, report({ pending: 3, skipped: "lease held by another" }));
    addReport(total, report({ pending: 2 }));
    expect(total).toMatchObject({ pending: 2, skipped: "lease held by another" });
  });

  it("keeps the newest lines only, for it may go on for months", () => {
    const total = report();
    for (let minute = 0; minute <= 5_000; minute += 1) {
      const lines = [`minute ${minute}`];
      addReport(
        total,
        report({ rejected: [{ reason: lines[0]! }], warnings: lines, upkeep: lines }),
      );
    }
    for (const lines of [
      total.rejected.map(({ reason }) => reason),
      total.warnings,
      total.upkeep,
    ]) {
      expect(lines).toHaveLength(1_000);
      expect(lines.at(-1)).toBe("minute 5000");
    }
  });
});

describe("a report in a line", () => {
  it("says what changed, how much was written and how long it took", () => {
    const documents = { rendered: 20, written: 4, unchanged: 16 };
    expect(toLine(report({ events: 2, pending: 1, documents, puts: 7, durationMs: 1234 }))).toBe(
      "check mainnet · 2 events · 1 pending · 4 of 20 documents written · 7 puts · 1.23 s",
    );
  });

  const refusing = (...reasons: string[]) => ({ rejected: reasons.map((reason) => ({ reason })) });
  const one = { events: 1, documents: { rendered: 1, written: 1, unchanged: 0 }, puts: 1 };
  const skipped = "a newer one";
  it.each<[string, Partial<Report>, string]>([
    ["of one as of one", one, "1 event · 0 pending · 1 of 1 document written · 1 put ·"],
    [
      "what was refused",
      refusing("too old", "too few"),
      "check mainnet · refused: too old · refused: too few · ",
    ],
    [
      "why nothing was published",
      { ...refusing("old"), skipped },
      " · refused: old · not published: a newer one · ",
    ],
    [
      "three of many refusals",
      refusing("1", "2", "3", "4", "5"),
      "refused: 3 · and 2 more refused · ",
    ],
  ])("says %s", (_, changes, expected) => {
    expect(toLine(report(changes))).toContain(expected);
  });

  it("is one line, whatever strangers said, and none of them takes away what another said", () => {
    const object = "2026-11-20/cut.json.zst";
    const rejected = [
      { reason: "no\u001b[2J\nmainnet: all is\u202e well \u001b[31" },
      { reason: "too\u0007 few" },
    ];
    const line = toLine(
      report({ rejected, quarantined: toQuarantined([[object, 'no "\u001b[31m\u200b"']]) }),
    );
    expect(line).toContain(
      `refused: no mainnet: all is well · refused: too few · set aside: ${object}: no "" · 0 events`,
    );
  });
});
