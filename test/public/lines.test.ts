import { describe, expect, it } from "vitest";
import type { CommissionEvent } from "../../generator/contract/event.ts";
import type { Pattern } from "../../generator/contract/pattern.ts";
import { toPatternBrief } from "../../public/format/events.ts";
import { findIncidents, toIncidentText } from "../../public/format/incidents.ts";
import { foldAll, type Line, toSeverity } from "../../public/format/lines.ts";
import { toEvents } from "./told.ts";

const FLIP: Pattern = {
  ...{ kind: "serial_flip", source: "COMMISSION", from: 0, to: 100, changes: 29 },
  ...{ epochs: 11, ofEpochs: 15, firstEpoch: 86, lastEpoch: 100 },
};
const MEV_FLIP: Pattern = { ...FLIP, source: "MEV" };

const START = Date.parse("2026-11-20T07:00:00.000Z");
const at = (minutes: number) => new Date(START + 60_000 * minutes).toISOString();
const rise = (from: number, until: number, facts: Partial<CommissionEvent> = {}) =>
  ({ delta: 5, previousSeenAt: at(from), createdAt: at(until), ...facts }) as const;
const rises = (count: number, { apart = 1, from = 0, ...facts }: Partial<CommissionEvent> & Spread = {}) =>
  Array.from({ length: count }, (_, place) =>
    rise(from + apart * place, from + apart * place + 1, { votePubkey: `${from} ${place}`, ...facts }),
  ).reverse();
interface Spread {
  apart?: number;
  from?: number;
}

describe("lines of changes", () => {
  const tell = ({ kind, event, ...line }: Line) =>
    `${kind} ${event.id}${"repeats" in line ? ` of ${line.repeats.map(({ id }) => id).join()}` : ""}`;

  it("fold the repeats of each pattern, MEV too, at the place of the newest", () => {
    const [flip, other, mev] = [{ pattern: FLIP }, { votePubkey: "B" }, { source: "MEV", pattern: MEV_FLIP } as const];
    const events = toEvents(flip, other, mev, flip, { pattern: { ...FLIP, firstEpoch: 20 } }, mev, {
      votePubkey: "C",
      pattern: FLIP,
    });
    expect(foldAll(events).map(tell)).toEqual([
      "pattern 0 of 0,3",
      "change 1",
      "pattern 2 of 2,5",
      "pattern 4 of 4",
      "pattern 6 of 6",
    ]);
  });

  it("fold the members of an incident, and nothing else", () => {
    const events = toEvents({ votePubkey: "later" }, ...rises(10), { votePubkey: "earlier" });
    expect(foldAll(events).map(tell)).toEqual(["change 0", "incident 1", "change 11"]);
  });

  it.each<[string, Partial<Pattern> | null, string]>([
    ["of its own where it repeats nothing", null, "INFO"],
    ["of the rise that it takes back", {}, "RUG"],
    ["of a rise to 90 %", { from: 85, to: 90 }, "RUG"],
    ["of a small habit", { from: 0, to: 30 }, "CAUTION"],
    ["of one that MEV does not mind", { source: "MEV", from: 0, to: 19 }, "INFO"],
    ["of one that it does", { source: "MEV", from: 0, to: 20 }, "CAUTION"],
  ])("have the severity %s", (_, pattern, severity) =>
    expect(toSeverity({ severity: "INFO", pattern: pattern && { ...FLIP, ...pattern } })).toBe(severity),
  );

  it("say how often", () => expect(toPatternBrief(FLIP)).toEqual(["0 % ↔ 100 %", "in 11 of 15"]));
});

describe("an incident", () => {
  const found = (...told: Parameters<typeof toEvents>) => findIncidents(toEvents(...told)).map(toIncidentText);
  const TEN = "10 validators raised their inflation commission within ";

  it.each<[string, Parameters<typeof toEvents>, string[]]>([
    ["ten within ten minutes", rises(10), [`${TEN}10 minutes`]],
    ["nine are none", rises(9), []],
    ["windows fill an hour", rises(10, { apart: 6.5 }), [`${TEN}60 minutes`]],
    ["a minute more is none", rises(10, { apart: 6.7 }), []],
    ["one of them twice counts once", [...rises(9), rise(1, 2, { votePubkey: "0 0" })], []],
    ["falls are another one", rises(10, { delta: -5 }), [TEN.replace("raised", "lowered") + "10 minutes"]],
    ["nine rises and a fall are none", [...rises(9), rise(1, 2, { votePubkey: "x", delta: -1 })], []],
    ["MEV rates change when an epoch begins", rises(20, { source: "MEV" }), []],
    ["switching on has no way", rises(20, { delta: null }), []],
    ["a window of two hours tells of no hour", [...rises(9), rise(-60, 60, { votePubkey: "x" })], []],
    ["nor does none", [...rises(9), { delta: 5, votePubkey: "x", createdAt: at(3) }], []],
    ["where every hour is as busy there is none", rises(60, { apart: 5.5 }), []],
    [
      "three times as many as in other hours are one",
      [...rises(30, { from: 700 }), ...rises(12, { apart: 25 })],
      ["30 validators raised their inflation commission within 30 minutes"],
    ],
    ["what its steps tell counts for nothing", rises(20, { replacedBy: "step" }), []],
    ["nor what comes every epoch", rises(20, { pattern: FLIP }), []],
    [
      "its block tells when, whenever it was seen",
      rises(10, { apart: 100, transaction: { blockTime: at(2_000) } as CommissionEvent["transaction"] }),
      [`${TEN}1 minute`],
    ],
    [
      "the most in an hour come first, and a change is in one alone",
      [...rises(12, { from: 50 }), rise(1, 2, { votePubkey: "early" }), ...rises(10, { from: -600 })],
      ["12 validators raised their inflation commission within 12 minutes", `${TEN}10 minutes`],
    ],
  ])("%s", (_, told, expected) => expect(found(...told)).toEqual(expected));
});
