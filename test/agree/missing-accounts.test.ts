import { describe, expect, it } from "vitest";
import { findMissingAccounts } from "../../generator/agree/missing-accounts.ts";
import type { AccountsAnswer } from "../../generator/entries/entry.ts";
import { snapshotBy } from "../story/observations.ts";
import { keyOf } from "../story/validators.ts";

const MINUTE = 40;

type Account = "there" | "none" | "failed";

function toAnswer(account: Account, index: number): AccountsAnswer {
  const endpoint = `http://witness-${index}.example#1`;
  if (account === "failed") return { state: "failed", endpoint, reason: "busy" };
  const row: AccountsAnswer & { state: "ok" } = { state: "ok", endpoint, slot: 1, rows: [] };
  return { ...row, rows: [account === "none" ? null : [500, null, keyOf("authority"), null]] };
}

describe("a listed vote account is missing", () => {
  it.each<[string, Account[], boolean]>([
    ["never by one witness alone", ["none"], false],
    ["never by two, of whom either may lie", ["none", "none"], false],
    ["if two of three find none", ["none", "there", "none"], true],
    ["not if one of three finds none", ["none", "there", "there"], false],
    ["not if two of four find none", ["none", "none", "there", "there"], false],
    ["if three of four find none", ["none", "none", "none", "there"], true],
    ["not by a witness that failed", ["none", "failed", "there"], false],
  ])("%s", (_, accounts, isMissing) => {
    const { votes } = snapshotBy(MINUTE, [{ list: [{ name: "A" }] }]);
    expect(findMissingAccounts({ votes, accounts: accounts.map(toAnswer) })).toEqual([isMissing]);
  });
});
