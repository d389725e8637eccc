import { describe, expect, it } from "vitest";
import { agreeOnSet } from "../../generator/agree/validator-set.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { type Answers, type Listed, SILENT, SLOT, toCheck, toSnapshot } from "./panel-entry.ts";

const IN: Listed = { bps: 1 };
const OUT: Listed = { bps: 1, inSet: false };
const DOWN: Listed = { bps: 1, delinquent: true };

const setOf = (entry: CheckEntry | SnapshotEntry, clusterSlot: number | null = null) =>
  agreeOnSet(entry, readLists(entry, clusterSlot));

type Said = Listed | "lacking" | "silent" | "elsewhere";

function toAnswers(said: Said): Answers {
  if (said === "silent") return SILENT;
  if (said === "elsewhere") return { list: { A: IN }, ahead: 151 };
  return { list: said === "lacking" ? {} : { A: said } };
}

describe("of the validator set a panel agrees on", () => {
  it.each<[string, Said[], boolean | null, boolean | null]>([
    ["what its only witness lists", [DOWN], true, true],
    ["what two list", [OUT, OUT], false, false],
    ["nothing that two list apart", [IN, OUT], null, false],
    ["what one lists while the other is silent", [OUT, "silent"], false, false],
    ["nothing by one of two, the other elsewhere", [IN, "elsewhere"], null, null],
    ["nothing by one of two, the other lacking it", [IN, "lacking"], null, null],
    ["what two of three list, the first lying", [OUT, DOWN, DOWN], true, true],
    ["what two of three list, the last silent", [IN, IN, "silent"], true, false],
    ["nothing made up by one of three", [DOWN, "lacking", "lacking"], null, null],
    ["what three of four list", [IN, DOWN, DOWN, DOWN], true, true],
    ["no delinquency of four that are two and two", [IN, IN, DOWN, DOWN], true, null],
  ])("%s", (_, said, isMember, isDelinquent) => {
    const answers = said.map(toAnswers);
    expect(setOf(toSnapshot(answers), SLOT).byVote.get("A")).toEqual({ isMember, isDelinquent });
    expect(setOf(toCheck(answers), SLOT).byVote.get("A")).toEqual({ isMember: null, isDelinquent });
  });

  it("nothing by a list of the epoch before", () => {
    const beginning = SLOT - 10_000;
    const entry = toSnapshot([{ list: { A: OUT } }, { list: { A: IN } }, { list: { A: OUT } }]);
    const panel = entry.panel.map((row, witness) =>
      witness === 2 ? { ...row, list: row.list && { ...row.list, slot: SLOT - 1 } } : row,
    );
    const early = { ...entry, panel, slotIndex: entry.absoluteSlot - SLOT };
    expect(setOf(early, SLOT).byVote.get("A")).toEqual({ isMember: null, isDelinquent: false });
    expect(setOf({ ...early, slotIndex: entry.absoluteSlot - beginning }, SLOT).byVote.get("A")?.isMember).toBe(false);
  });

  it("only vote accounts of the entry, and tells when one is alone", () => {
    const apart = [toAnswers("lacking"), toAnswers(IN)];
    expect(setOf(toSnapshot(apart))).toEqual({
      panelSize: 2,
      silent: null,
      isAlone: false,
      isMajority: true,
      byVote: new Map(),
    });
    const alone = [toAnswers(IN), SILENT];
    expect(setOf(toSnapshot(alone))).toMatchObject({ silent: "https://witness-1.example", isAlone: true });
  });
});
