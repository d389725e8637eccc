import { describe, expect, it } from "vitest";
import { agreeOnIdentities } from "../../generator/agree/identities.ts";
import { readLists } from "../../generator/agree/witness-lists.ts";
import { slotAt } from "../story/clock.ts";
import { snapshotBy } from "../story/observations.ts";
import { type Fact, keyOf } from "../story/validators.ts";
import { SILENT, type Witness } from "../story/witnesses.ts";

/**
 * By whose name A's identity in each list is made, beside B; null: not listed; "silent": no answer.
 */
type Identity = string | null;

const list = (identity: Identity, more: Fact[] = []): Witness => ({
  list: [{ name: "B" }, ...(identity === null ? [] : [{ name: "A", identity }]), ...more],
});

function agree(witnesses: readonly Witness[]) {
  const entry = snapshotBy(40, witnesses);
  return agreeOnIdentities(entry, readLists(entry, slotAt(40)));
}

const agreeOn = (identities: readonly Identity[]) =>
  agree(identities.map((one) => (one === "silent" ? SILENT : list(one))));
const identityOf = (name: string) => keyOf(`identity of ${name}`);

describe("the identity of a vote account", () => {
  it.each<[string, Identity[], string | undefined]>([
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
  ])("%s", (_, identities, identity) => {
    expect(agreeOn(identities).byVote.get(keyOf("A"))).toBe(identity && identityOf(identity));
  });

  it("is what one of two shows alone while the other is silent", () => {
    const { byVote, isAlone } = agreeOn(["X", "silent"]);
    expect([byVote.get(keyOf("A")), isAlone]).toEqual([identityOf("X"), true]);
    expect(agreeOn(["X", "X"]).isAlone).toBe(false);
  });
});

describe("an identity", () => {
  const both = list("B");
  const own = list("X");
  it.each<[string, Witness[], string[]]>([
    ["is shared, if a majority lists two vote accounts with it", [both, both, own], ["B"]],
    ["is not, if one of three does", [both, own, own], []],
    ["may be shared, if two lists differ on it", [both, own], ["B"]],
    ["is not, with one vote account", [own, own, own], []],
    [
      "is shared too with a vote account that the entry's own list lacks",
      [own, ...[0, 1].map(() => list("X", [{ name: "C", identity: "X" }]))],
      ["X"],
    ],
  ])("%s", (_, witnesses, shared) => {
    expect([...agree(witnesses).shared]).toEqual(shared.map(identityOf));
  });
});
