import { describe, expect, it } from "vitest";
import { decodeTransaction, isSigned } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { readTransaction } from "./recorded.ts";

const VOTE_ACCOUNT = "6Yp8EJx9v8MfhHRHTkAFNpuT1ikCLYYe83hNPLjygVc9";
const NEW_AUTHORITY = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
const inflation = (basisPoints: number) => ({ of: "inflationCommission", basisPoints });

describe("what a validator answered", () => {
  it.each([
    { name: "bps-525", authority: VOTE_ACCOUNT, changes: [inflation(525)] },
    { name: "bps-10000", authority: VOTE_ACCOUNT, changes: [inflation(10_000)] },
    { name: "percent-7", authority: VOTE_ACCOUNT, changes: [inflation(700)] },
    {
      name: "authorize-withdrawer",
      authority: VOTE_ACCOUNT,
      changes: [{ of: "withdrawAuthority", to: NEW_AUTHORITY }],
    },
    { name: "bps-800-by-new-authority", authority: NEW_AUTHORITY, changes: [inflation(800)] },
    { name: "two-in-one-10000-then-0", authority: NEW_AUTHORITY, changes: [inflation(10_000), inflation(0)] },
    {
      name: "block-revenue-5000",
      authority: NEW_AUTHORITY,
      changes: [{ of: "blockRevenueCommission", basisPoints: 5000 }],
    },
    { name: "v0-1234", authority: NEW_AUTHORITY, changes: [inflation(1234)] },
    // By the old authority after the new one had taken over: what it would have changed, had it not failed.
    { name: "failed-9900", authority: VOTE_ACCOUNT, changes: [inflation(9900)] },
  ])("is read as what its name says, and signed: $name", ({ name, authority, changes }) => {
    const { bytes, version } = readTransaction(name);
    const transaction = decodeTransaction(bytes);
    expect(transaction).toMatchObject({ version, requiredSignatures: 2, loadedCount: 0 });
    expect(isSigned(transaction)).toBe(true);
    expect(findVoteChanges(transaction, { inner: [], loaded: [] })).toMatchObject(
      changes.map((change) => ({
        voteAccount: VOTE_ACCOUNT,
        authority: { key: authority },
        change,
        proof: "signature",
      })),
    );
  });
});
