import { describe, expect, it } from "vitest";
import { agreeOnTransactions } from "../../generator/agree/transactions.ts";
import { UNINDEXED_SLOTS } from "../../generator/chain/slots.ts";
import type { SearchAnswer } from "../../generator/entries/entry.ts";
import { slotAt } from "../story/clock.ts";
import { type Executed, type Found, type Lie, setsA, transactions } from "../story/transactions.ts";

/* A's authority sets its commission at minute 30; minutes 0 to 60 are searched. */

const SET = setsA(30, [9_000]);
const OTHER = setsA(31, [8_000]);

/** What a panel agrees on where one transaction is found. */
function agree(lies: readonly Lie[], executed: Executed = SET, answers?: SearchAnswer[]) {
  const found: Found = { executed, lies: [...lies] };
  const search = { after: 0, upTo: 60, found: [found], ...(answers && { answers }) };
  return agreeOnTransactions(transactions(60, lies.length, search), 0);
}

/**
 * "executed" as it was. "nothing": no such change, and the search covers its slot. "undecided":
 * the search does not cover its slot.
 */
function decide(lies: readonly Lie[], executed = SET): "executed" | "nothing" | "undecided" {
  const agreed = agree(lies, executed);
  const covered = agreed.searches[0]?.covered ?? { after: 0, upTo: 0 };
  const isCovered = covered.after < executed.slot && covered.upTo >= executed.slot;
  const [one] = agreed.transactions;
  if (one === undefined) return isCovered ? "nothing" : "undecided";
  const { signature, slot, inner, loaded } = one;
  expect({
    signature,
    slot,
    inner,
    loaded,
    bytes: Buffer.from(one.bytes).toString("base64"),
  }).toEqual({ ...executed, inner: [], loaded: [] });
  expect(isCovered).toBe(true);
  return "executed";
}

const FAILED: Lie = { failed: true };
const EARLIER: Lie = { slot: SET.slot - 1 };
const LATER: Lie = { slot: SET.slot + 1 };
const INNER: Lie = { inner: [[0, 1, [0], "AA=="]] };
const LOADED: Lie = { loaded: [OTHER.signature.slice(0, 44)] };
const BYTES: Lie = { bytes: OTHER.bytes };

describe("of a transaction a panel agrees", () => {
  it.each<[string, Lie[], ReturnType<typeof decide>]>([
    ["that it was executed, as the only witness answers", ["true"], "executed"],
    ["that it failed, as the only witness answers", [FAILED], "nothing"],
    ["on nothing where the only one is silent", ["failed"], "undecided"],
    ["that it was executed, as two answer", ["true", "true"], "executed"],
    ["that it failed, as two answer", [FAILED, FAILED], "nothing"],
    ["that there is none, as two that list all answer", ["unknown", "unknown"], "nothing"],
    ["on nothing that one of two answers, the other silent", ["true", "failed"], "undecided"],
    ["on nothing that one of two answers, the other without it", ["true", "unknown"], "undecided"],
    ["on nothing that two tell of different slots", ["true", LATER], "undecided"],
    ["on nothing that failed by one of two", ["true", FAILED], "undecided"],
    [
      "on what two of three answer, the first with another slot",
      [EARLIER, "true", "true"],
      "executed",
    ],
    [
      "on what two of three answer, the last with another slot",
      ["true", "true", LATER],
      "executed",
    ],
    ["on what two of three answer, one that it failed", ["true", FAILED, "true"], "executed"],
    ["on what two of three answer, one with other bytes", [BYTES, "true", "true"], "executed"],
    [
      "on what two of three answer, one with inner instructions",
      [INNER, "true", "true"],
      "executed",
    ],
    ["on what two of three answer, one with looked-up keys", [LOADED, "true", "true"], "executed"],
    ["on what two of three answer, one silent", ["failed", "true", "true"], "executed"],
    ["on what two of three answer, one without it", ["unknown", "true", "true"], "executed"],
    ["that it failed, as two of three answer", [FAILED, "true", FAILED], "nothing"],
    ["that there is none, as two of three answer", ["unknown", "true", "unknown"], "nothing"],
    ["on nothing by a liar and an honest one of three", [LATER, "true", "failed"], "undecided"],
    ["on nothing by one of three, one without it", ["true", "unknown", "failed"], "undecided"],
    ["on nothing by one of three, the others silent", ["true", "failed", "failed"], "undecided"],
    ["on nothing of three different slots", [EARLIER, "true", LATER], "undecided"],
    ["on what three of four answer", ["true", LATER, "true", "true"], "executed"],
    ["on what three of four answer, one silent", ["true", "failed", "true", "true"], "executed"],
    ["that it failed, as three of four answer", [FAILED, FAILED, "true", FAILED], "nothing"],
    [
      "that there is none, as three of four answer",
      ["unknown", "unknown", "true", "unknown"],
      "nothing",
    ],
    ["on nothing of two slots by two each", ["true", "true", LATER, LATER], "undecided"],
    ["on nothing that two of four failed", ["true", "true", FAILED, FAILED], "undecided"],
    [
      "on nothing by two of four, the others silent",
      ["true", "true", "failed", "failed"],
      "undecided",
    ],
    [
      "on nothing by two of four, the others without it",
      ["true", "true", "unknown", "unknown"],
      "undecided",
    ],
  ])("%s", (_, lies, expected) => {
    expect(decide(lies)).toBe(expected);
  });

  it.each<[string, Executed]>([
    ["that cannot be decoded", { ...SET, bytes: Buffer.from([0xff]).toString("base64") }],
    ["that another signature has", { ...SET, signature: OTHER.signature }],
  ])("on nothing %s, whatever all answer", (_, executed) => {
    expect(decide(["true", "true", "true"], executed)).toBe("undecided");
  });
});

describe("beside a transaction a panel agrees", () => {
  it.each<[string, (number | null)[], number | null]>([
    ["on what the only witness answers", [7], 7],
    ["on what two answer", [7, 7], 7],
    ["on nothing that two answer apart", [7, 8], null],
    ["on nothing that one of two answers", [7, null], null],
    ["on what two of three answer", [7, 8, 7], 7],
    ["on what two of three answer, one without it", [null, 7, 7], 7],
    ["on nothing by one of three", [7, null, null], null],
    ["on what three of four answer", [7, 8, 7, 7], 7],
    ["on nothing of four that are two and two", [7, 7, 8, 8], null],
  ])("%s: index and time", (_, values, expected) => {
    const lies = values.map((value): Lie => ({ index: value, blockTime: value }));
    expect(agree(lies).transactions).toMatchObject([{ index: expected, blockTime: expected }]);
  });
});

it("transactions are in the order of the cluster, whatever the order of the answers", () => {
  const [first, second] = [setsA(20, [1]), { ...setsA(20, [2]), index: 1 }];
  const found = [SET, second, first];
  const agreed = agreeOnTransactions(transactions(60, 1, { after: 0, upTo: 60, found }), 0);
  const signatures = agreed.transactions.map(({ signature }) => signature);
  expect(signatures).toEqual([first, second, SET].map(({ signature }) => signature));
});

/** Slots after the beginning of the searched ones. */
const ok = (after: number, upTo: number): SearchAnswer => ({
  state: "ok",
  after: slotAt(0) + after,
  upTo: slotAt(0) + upTo,
});
const busy: SearchAnswer = { state: "busy", rows: 5_000 };
const failed: SearchAnswer = { state: "failed", reason: "no answer", isRefused: false };
const refused: SearchAnswer = { state: "failed", reason: "no history", isRefused: true };

/** Covered slots after the beginning as "0-1000", or why there are none. */
function covered(answers: SearchAnswer[], acceptedSlot = 0): string {
  const search = { after: 0, upTo: 60, answers, found: [] };
  const entry = transactions(60, answers.length, search);
  const [one] = agreeOnTransactions(entry, acceptedSlot).searches;
  if (one?.covered == null) return one?.outcome ?? "not searched";
  const { after, upTo } = one.covered;
  expect(one.outcome).toBe("covered");
  return `${after - slotAt(0)}-${upTo - slotAt(0)}`;
}

/** Slots that nobody's index is sure to have yet. */
const NEWEST = UNINDEXED_SLOTS;

describe("a search covers", () => {
  it.each<[string, SearchAnswer[], string]>([
    ["what the only witness lists", [ok(0, 1_000 + NEWEST)], "0-1000"],
    ["nothing of the newest slots", [ok(0, NEWEST)], "covered"],
    ["the first slot before these", [ok(0, NEWEST + 1)], "0-1"],
    ["nothing where the only witness fails", [failed], "failed"],
    ["nothing where it keeps nothing", [refused], "refused"],
    ["nothing of a busy key", [busy], "busy"],
    ["what both of two list", [ok(0, 1_000 + NEWEST), ok(100, 2_000)], "100-1000"],
    ["nothing by one of two", [ok(0, 2_000), failed], "failed"],
    ["nothing by one of two, the other keeping nothing", [ok(0, 2_000), refused], "refused"],
    ["what two of three list", [ok(0, 2_000), ok(200, 1_000 + NEWEST), failed], "200-1000"],
    ["no more where one of three claims more", [ok(0, 900), ok(0, 900), ok(0, 90_000)], "0-600"],
    ["nothing by one of three", [ok(0, 2_000), failed, busy], "busy"],
    ["nothing that two of three list apart", [ok(0, 900), ok(900, 2_000), failed], "failed"],
    [
      "what three of four list",
      [ok(0, 2_000), ok(50, 2_000), ok(100, 1_000 + NEWEST), failed],
      "100-1000",
    ],
    ["nothing by two of four", [ok(0, 2_000), ok(0, 2_000), failed, failed], "failed"],
    [
      "nothing by two of four, the others keeping nothing",
      [ok(0, 2_000), ok(0, 2_000), refused, refused],
      "refused",
    ],
  ])("%s", (_, answers, expected) => {
    expect(covered(answers)).toBe(expected);
  });

  it("all that is listed, where the cluster was accepted at a later slot", () => {
    expect(covered([ok(0, 1_000)], slotAt(0) + 1_000 + NEWEST - 1)).toBe("0-999");
    expect(covered([ok(0, 1_000)], slotAt(0) + 9_000)).toBe("0-1000");
  });
});
