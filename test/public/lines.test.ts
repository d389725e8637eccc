import { describe, expect, it } from "vitest";
import type { Pattern } from "../../generator/contract/pattern.ts";
import type { Incident } from "../../generator/contract/incident.ts";
import { toIncidentText } from "../../public/format/events.ts";
import { foldAll, foldPatterns, type Line, toSeverity } from "../../public/format/lines.ts";
import { toEvents } from "./told.ts";

const FLIP: Pattern = {
  ...{ kind: "serial_flip", source: "COMMISSION", from: 0, to: 100, changes: 29 },
  ...{ epochs: 11, ofEpochs: 15, firstEpoch: 86, lastEpoch: 100 },
};
const MEV_FLIP: Pattern = { ...FLIP, source: "MEV" };

const INCIDENT: Incident = {
  ...{ id: "first", validators: 1234, changes: 1235 },
  ...{ firstAt: "2026-11-20T07:00:00.000Z", lastAt: "2026-11-20T07:39:01.000Z" },
};

describe("lines of changes", () => {
  const tell = ({ kind, event, ...line }: Line) => {
    const folded = "repeats" in line ? line.repeats : "members" in line ? line.members : null;
    return `${kind} ${event.id}${folded === null ? "" : ` of ${folded.map(({ id }) => id).join()}`}`;
  };

  it("fold the repeats of each pattern, MEV too, at the place of the newest", () => {
    const [flip, other, mev] = [
      { pattern: FLIP },
      { votePubkey: "B" },
      { source: "MEV", pattern: MEV_FLIP } as const,
    ];
    const older = { pattern: { ...FLIP, firstEpoch: 20 } };
    const events = toEvents(flip, other, mev, flip, older, mev, { votePubkey: "C", pattern: FLIP });
    const alone = ["pattern 4 of 4", "pattern 6 of 6"];
    expect(foldAll(events).map(tell)).toEqual([
      "pattern 0 of 0,3",
      "change 1",
      "pattern 2 of 2,5",
      ...alone,
    ]);
  });

  describe("of one validator", () => {
    /**
     * Newest first, in epochs 100, 99, 98 and so on;
     * the pattern counts four changes since epoch 96.
     */
    const pattern = { ...FLIP, firstEpoch: 96, changes: 4 };
    const [repeat, early] = [{ confirmed: true, pattern }, { confirmed: true }];
    const fold = (...told: Parameters<typeof toEvents>) =>
      foldPatterns(toEvents(...told)).map(tell);

    it("fold what a pattern counts, those from before it was one too", () =>
      expect(fold(repeat, early, repeat, early)).toEqual(["pattern 0 of 0,1,2,3"]));

    it("leave what came before the pattern", () => {
      expect(fold(repeat, repeat, early, early, early)).toEqual([
        "pattern 0 of 0,1,2,3",
        "change 4",
      ]);
      expect(fold(repeat, { ...early, epoch: 95 })).toEqual(["pattern 0 of 0", "change 1"]);
    });

    it("leave a newer change, another source's, and what no pattern counts", () => {
      expect(fold(early, repeat)).toEqual(["change 0", "pattern 1 of 1"]);
      expect(fold(repeat, { ...early, source: "MEV" })).toEqual(["pattern 0 of 0", "change 1"]);
      const uncounted = [{ confirmed: false }, { ...early, replacedBy: "3" }];
      expect(fold(repeat, ...uncounted, early)).toEqual([
        "pattern 0 of 0,3",
        "change 1",
        "change 2",
      ]);
    });

    it("leave a change that is heavier than the pattern", () => {
      const small = { ...repeat, pattern: { ...pattern, to: 30 } };
      const others = (["RUG", "CAUTION"] as const).map((severity) => ({ ...early, severity }));
      expect(fold(small, ...others)).toEqual(["pattern 0 of 0,2", "change 1"]);
    });
  });

  it("fold the members of each incident, at the place of the newest", () => {
    const [one, other] = [{ incident: INCIDENT }, { incident: { ...INCIDENT, id: "other" } }];
    const events = toEvents({}, one, other, {}, one, other);
    expect(foldAll(events).map(tell)).toEqual([
      "change 0",
      "incident 1 of 1,4",
      "incident 2 of 2,5",
      "change 3",
    ]);
  });

  it("show the only member that a filter left as a change", () => {
    expect(foldAll(toEvents({ incident: INCIDENT }, {})).map(tell)).toEqual([
      "change 0",
      "change 1",
    ]);
  });

  it.each<[string, Partial<Pattern> | null, string]>([
    ["of its own where it repeats nothing", null, "INFO"],
    ["of the rise that it takes back", {}, "RUG"],
    ["of a rise to 90 %", { from: 85, to: 90 }, "RUG"],
    ["of a small habit", { from: 0, to: 30 }, "CAUTION"],
    ["of one that MEV does not mind", { source: "MEV", from: 0, to: 19 }, "INFO"],
    ["of one that it does", { source: "MEV", from: 0, to: 20 }, "CAUTION"],
  ])("have the severity %s", (_, pattern, severity) =>
    expect(toSeverity({ severity: "INFO", pattern: pattern && { ...FLIP, ...pattern } })).toBe(
      severity,
    ),
  );
});

describe("an incident", () => {
  it.each<[string, Partial<Incident>, number]>([
    ["1,234 validators raised their inflation commission within 40 minutes", {}, 5],
    ["10 validators lowered their inflation commission within 40 minutes", { validators: 10 }, -5],
    [
      "1,234 validators raised their inflation commission within 1 minute",
      { lastAt: INCIDENT.firstAt },
      5,
    ],
  ])("says how many, which way and in how many minutes begun: %s", (text, facts, delta) => {
    const [member] = toEvents({ delta });
    expect(toIncidentText({ ...INCIDENT, ...facts }, member!)).toBe(text);
  });
});
