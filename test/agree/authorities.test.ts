import { describe, expect, it } from "vitest";
import { agreeOnAuthorities } from "../../generator/agree/authorities.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { slotAt } from "../story/clock.ts";
import { checkBy, snapshotBy } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

const MINUTE = 40;
const A = keyOf("A");

/** A key, or "no account", "silent" or "only a list"; null: unreadable. */
type Authority = string | null | { key: string; ahead?: number; isListing?: false };

/** Which authority of A a witness reads. */
function reading(authority: Authority): Witness {
  const list = [
    { name: "B", bps: 1 },
    { name: "A", percent: 5 },
  ];
  if (authority === "silent") return SILENT;
  if (authority === "only a list") return { list };
  const {
    key,
    ahead = 0,
    isListing = true,
  } = typeof authority === "object" && authority !== null ? authority : { key: authority };
  const ofA =
    key === "no account" ? null : ([550, null, key, null] as [number, null, string | null, null]);
  const accounts: Witness["accounts"] = { B: [1, null, "other", null], A: ofA };
  return { list: isListing ? list : null, accounts, accountsAhead: ahead };
}

const agreeOn = (entry: ReturnType<typeof checkBy> | ReturnType<typeof snapshotBy>) =>
  agreeOnAuthorities(entry, readLists(entry, null));

describe("of a withdraw authority a panel agrees on", () => {
  it.each<[string, Authority[], string | null]>([
    ["what its only witness reads", ["K"], "K"],
    ["what two read", ["K", "K"], "K"],
    ["nothing that two read apart", ["K", "L"], null],
    ["what one of two reads, the other silent", ["K", "silent"], "K, alone"],
    ["nothing by one of two, the other only without accounts", ["K", "only a list"], null],
    [
      "nothing by the one of two that gives no list",
      [{ key: "L", isListing: false }, "only a list"],
      null,
    ],
    ["nothing by one of two, the other unreadable", ["K", null], null],
    ["nothing by one of two, the other without the account", ["K", "no account"], null],
    ["nothing by one of two, the other out of place", ["K", { key: "K", ahead: -151 }], null],
    ["nothing by one of two, the other far ahead", ["K", { key: "K", ahead: 601 }], null],
    ["what two read, one as late as can be", ["K", { key: "K", ahead: 600 }], "K"],
    ["what two of three read, one lying", ["L", "K", "K"], "K"],
    ["what two of three read, one silent", ["K", "silent", "K"], "K"],
    ["nothing by one of three, the others silent", ["K", "silent", "silent"], null],
    [
      "nothing that needs one 151 slots from the median",
      ["K", "L", { key: "K", ahead: 151 }],
      null,
    ],
    ["what one reads 150 slots from the median", ["K", "L", { key: "K", ahead: 150 }], "K"],
    ["what three of four read", ["K", "K", "L", "K"], "K"],
    ["nothing of four that are two and two", ["K", "K", "L", "L"], null],
  ])("%s", (_, authorities, expected) => {
    for (const observe of [checkBy, snapshotBy]) {
      const { panelSize, agreed } = agreeOn(observe(MINUTE, authorities.map(reading)));
      const ofA = agreed.find(({ vote }) => vote === A);
      expect(panelSize).toBe(authorities.length);
      expect(ofA === undefined ? null : ofA.key + (ofA.isAlone ? ", alone" : "")).toBe(expected);
    }
  });

  it.each<[string, number[], { from: number; until: number }]>([
    ["one", [5], { from: 5, until: 5 }],
    ["two", [5, 9], { from: 9, until: 5 }],
    ["three", [5, 9, 7], { from: 7, until: 7 }],
    ["four", [5, 9, 7, 6], { from: 6, until: 6 }],
  ])("slots that liars cannot have made up: of %s", (_, aheads, { from, until }) => {
    const entry = snapshotBy(
      MINUTE,
      aheads.map((ahead) => reading({ key: "K", ahead })),
    );
    const slots = { from: slotAt(MINUTE) + from, until: slotAt(MINUTE) + until };
    expect(agreeOn(entry).agreed).toContainEqual({ vote: A, key: "K", ...slots, isAlone: false });
  });

  it("nothing where no account is unclear", () => {
    expect(agreeOn(checkBy(MINUTE, [{ list: [{ name: "A" }] }])).agreed).toEqual([]);
  });
});
