import { describe, expect, it } from "vitest";
import type { AccountsAnswer, Entry } from "../../generator/entries/entry.ts";
import { readingsOf } from "../../generator/service/explain/readings.ts";
import { FIRST_EPOCH, slotAt } from "../story/clock.ts";
import { checkByLists, panelSnapshot } from "../story/panels.ts";
import { keyOf, rest } from "../story/validators.ts";
import { endpointOf } from "../story/witnesses.ts";

const risen = {
  votePubkey: keyOf("A"),
  source: "COMMISSION" as const,
  epoch: FIRST_EPOCH,
  from: 500,
  to: 9_500,
};
const shownIn = (entry: Entry) =>
  readingsOf(entry, risen).map(({ of, shows }) => `${of}: ${shows}`);

/** Each witness's account of each vote account asked for. */
const accountsOf = (votes: number, ...rates: (number | "none" | "silent")[]) =>
  rates.map((bps, witness): AccountsAnswer => {
    const endpoint = endpointOf(witness);
    if (bps === "silent") return { state: "failed", endpoint, reason: "no answer in time" };
    const row =
      bps === "none"
        ? null
        : ([bps, null, keyOf("authority"), null] as [number, null, string, null]);
    return {
      state: "ok",
      endpoint,
      slot: slotAt(2) + witness,
      rows: Array.from({ length: votes }, () => row),
    };
  });

describe("an observation shows a change of inflation commission", () => {
  it("what each witness lists, by whom and at which slot", () => {
    const entry = checkByLists(2, [500, 9_500, null, "silent"], rest);
    const at = (witness: number) => ({ endpoint: endpointOf(witness), slot: slotAt(2) });
    expect(readingsOf(entry, risen)).toMatchObject([
      { of: "votes", by: at(0), row: { basisPoints: 500 }, shows: "old" },
      { of: "votes", by: at(1), row: { basisPoints: 9_500 }, shows: "new" },
      { of: "votes", by: at(2), row: null, shows: "nothing" },
      {
        of: "votes",
        by: { endpoint: endpointOf(3), reason: "no answer in time" },
        row: null,
        shows: "nothing",
      },
    ]);
  });

  it("also where the list kept whole lacks the vote account", () => {
    expect(shownIn(checkByLists(2, [null, 9_500], rest))).toEqual(["votes: nothing", "votes: new"]);
  });

  it("of a snapshot's row only what each of them says", () => {
    const rows = readingsOf(panelSnapshot(2, rest, { of: 2, lists: [500, 9_500] }), risen).map(
      ({ row }) => row,
    );
    const fields = ["vote", "basisPoints", "percent", "delinquent", "activeStake"];
    for (const row of rows.slice(0, 2)) expect(Object.keys(row ?? {})).toEqual(fields);
  });

  it("then, in a check whose lists leave it unclear, each one's account", () => {
    const entry = checkByLists(2, [{ percent: 95 }, { percent: 5 }, { percent: 95 }], rest);
    const unclear = [keyOf("crowd 0"), keyOf("A")];
    const lists = ["votes: new", "votes: old", "votes: new"];
    expect(shownIn(entry)).toEqual(lists);
    expect(
      shownIn({ ...entry, unclear: [keyOf("crowd 0")], accounts: accountsOf(1, 9_500) }),
    ).toEqual(lists);
    const read = { ...entry, unclear, accounts: accountsOf(2, 9_500, "none", "silent") };
    expect(shownIn(read)).toEqual([
      ...lists,
      "account: new",
      "account: nothing",
      "account: nothing",
    ]);
    expect(readingsOf(read, risen).map(({ by }) => by)[3]).toEqual({
      endpoint: endpointOf(0),
      slot: slotAt(2),
    });
  });

  it("then, in a snapshot, each one's account whatever they list", () => {
    const entry = panelSnapshot(2, rest, { of: 2, lists: [500, 500] });
    const accounts = accountsOf(entry.votes.length, 500, 9_500);
    expect(shownIn({ ...entry, accounts })).toEqual([
      "votes: old",
      "votes: old",
      "account: old",
      "account: new",
    ]);
  });

  it("once that a witness did not answer, though neither its list nor its account is known", () => {
    const entry = checkByLists(2, [{ percent: 95 }, { percent: 5 }, "silent"], rest);
    const asked = {
      ...entry,
      unclear: [keyOf("A")],
      accounts: accountsOf(1, 9_500, "none", "silent"),
    };
    expect(shownIn(asked)).toEqual([
      "votes: new",
      "votes: old",
      "votes: nothing",
      "account: new",
      "account: nothing",
    ]);
  });

  it("nothing where nobody shows the vote account", () => {
    expect(shownIn(checkByLists(2, [500], rest))).toHaveLength(1);
    expect(shownIn(checkByLists(2, [null, null, "silent"], rest))).toEqual([]);
  });
});
