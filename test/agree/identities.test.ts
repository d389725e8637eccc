import { describe, expect, it } from "vitest";
import { agreeOnIdentities } from "../../generator/agree/identities.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { SILENT, SLOT, toSnapshot, type Answers } from "./panel-entry.ts";

/** A's identity in each list, beside B; null: not listed; "silent": no answer. */
type Said = string | null;

const list = (identity: string | null, more: Answers["list"] = {}): Answers => ({
  list: { B: { bps: 500 }, ...(identity !== null && { A: { bps: 500, identity } }), ...more },
});

function agree(answers: readonly Answers[]) {
  const entry = toSnapshot(answers);
  return agreeOnIdentities(entry, readLists(entry, SLOT));
}

const agreeOn = (said: readonly Said[]) => agree(said.map((one) => (one === "silent" ? SILENT : list(one))));

describe("the identity of a vote account", () => {
  it.each<[string, Said[], string | undefined]>([
    ["is what the only list shows", ["X"], "X"],
    ["is what two show", ["X", "X"], "X"],
    ["is not known by two that differ", ["X", "Y"], undefined],
    ["is what two of three show, one of which is the entry's", ["X", "Y", "X"], "X"],
    ["is what two of three show, against the entry's own list", ["Y", "X", "X"], "X"],
    ["is what two of three show, where the entry's own list lacks it", [null, "X", "X"], "X"],
    ["is what two of three show, one silent", ["X", "silent", "X"], "X"],
    ["is not known by one of three", ["X", "silent", "silent"], undefined],
    ["is not known by one of three that lists it", ["X", null, null], undefined],
    ["is not known by three that differ", ["X", "Y", "Z"], undefined],
    ["is what three of four show", ["X", "X", "Y", "X"], "X"],
    ["is not known by two of four", ["X", "X", "Y", "Y"], undefined],
  ])("%s", (_, said, identity) => {
    expect(agreeOn(said).byVote.get("A")).toBe(identity);
  });

  it("is what one of two shows alone while the other is silent", () => {
    const { byVote, isAlone } = agreeOn(["X", "silent"]);
    expect([byVote.get("A"), isAlone]).toEqual(["X", true]);
    expect(agreeOn(["X", "X"]).isAlone).toBe(false);
  });
});

describe("an identity", () => {
  const both = list("identity of B");
  const own = list("X");
  it.each<[string, Answers[], string[]]>([
    ["is shared, if a majority lists two vote accounts with it", [both, both, own], ["identity of B"]],
    ["is not, if one of three does", [both, own, own], []],
    ["may be shared, if two lists differ on it", [both, own], ["identity of B"]],
    ["is not, with one vote account", [own, own, own], []],
    [
      "is shared too with a vote account that the entry's own list lacks",
      [own, ...[0, 1].map(() => list("X", { C: { bps: 1, identity: "X" } }))],
      ["X"],
    ],
  ])("%s", (_, answers, shared) => {
    expect([...agree(answers).shared]).toEqual(shared);
  });
});
