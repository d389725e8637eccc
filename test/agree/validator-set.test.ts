import { describe, expect, it } from "vitest";
import { type AgreedSet, agreeOnSet } from "../../generator/agree/validator-set.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import type { CheckEntry, SnapshotEntry } from "../../generator/entries/entry.ts";
import { slotAt } from "../story/clock.ts";
import { checkBy, snapshotBy } from "../story/observations.ts";
import type { Fact } from "../story/validators.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;
const SLOT = slotAt(MINUTE);
const IN: Fact = { name: "A" };
const OUT: Fact = { name: "A", inSet: false };
const DOWN: Fact = { name: "A", delinquent: true };

const setOf = (entry: CheckEntry | SnapshotEntry, clusterSlot: number | null = null) =>
  agreeOnSet(entry, readLists(entry, clusterSlot));

/** What is agreed on the entry's first vote account. */
const firstOf = ({ isMember, isDelinquent }: AgreedSet) => ({
  isMember: isMember[0],
  isDelinquent: isDelinquent[0],
});

type Listed = Fact | "lacking" | "silent" | "elsewhere";

function toWitness(listed: Listed): Witness {
  if (listed === "silent") return SILENT;
  if (listed === "elsewhere") return { list: [IN], ahead: 151 };
  return { list: listed === "lacking" ? [] : [listed] };
}

describe("of the validator set a panel agrees on", () => {
  it.each<[string, Listed[], boolean | null, boolean | null]>([
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
  ])("%s", (_, lists, isMember, isDelinquent) => {
    const witnesses = lists.map(toWitness);
    const [ofSnapshot, ofCheck] = [snapshotBy, checkBy].map((observe) =>
      firstOf(setOf(observe(MINUTE, witnesses), SLOT)),
    );
    expect(ofSnapshot).toEqual({ isMember, isDelinquent });
    expect(ofCheck).toEqual({ isMember: null, isDelinquent });
  });

  it("nothing by a list of the epoch before", () => {
    const at = (listSlot: number, beginning: number) => {
      const entry = snapshotBy(MINUTE, [
        { list: [OUT] },
        { list: [IN] },
        { list: [OUT], listSlot },
      ]);
      return firstOf(setOf({ ...entry, slotIndex: entry.absoluteSlot - beginning }, SLOT));
    };
    expect(at(SLOT - 1, SLOT)).toEqual({ isMember: null, isDelinquent: false });
    expect(at(SLOT - 1, SLOT - 1).isMember).toBe(false);
  });

  it("only vote accounts of the entry, and tells when one is alone", () => {
    const apart = [toWitness("lacking"), toWitness(IN)];
    expect(setOf(snapshotBy(MINUTE, apart))).toEqual({
      isAlone: false,
      isMember: [],
      isDelinquent: [],
    });
    expect(readLists(snapshotBy(MINUTE, apart), null).silent).toBe(null);
    const alone = snapshotBy(MINUTE, [toWitness(IN), SILENT]);
    expect(setOf(alone).isAlone).toBe(true);
    expect(readLists(alone, null).silent).toBe("http://witness-1.example");
  });
});
