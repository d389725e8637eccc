import { describe, expect, it } from "vitest";
import { type AgreedExistence, agreeOnExistence } from "../../generator/agree/existence.ts";
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
  it.each<[string, Account[], AgreedExistence]>([
    ["never by one witness alone", ["none"], "not missing"],
    ["never by two, of whom either may lie", ["none", "none"], "not missing"],
    ["if two of three find none", ["none", "there", "none"], "missing"],
    ["not if one of three finds none", ["none", "there", "there"], "not missing"],
    ["not if two of four find none", ["none", "none", "there", "there"], "not missing"],
    ["if three of four find none", ["none", "none", "none", "there"], "missing"],
    ["not by a witness that failed", ["none", "failed", "there"], "not missing"],
  ])("%s", (_, accounts, existence) => {
    const { votes } = snapshotBy(MINUTE, [{ list: [{ name: "A" }] }]);
    expect(agreeOnExistence({ votes, accounts: accounts.map(toAnswer) })).toEqual([existence]);
  });
});
