import { expect, it } from "vitest";
import { decodeTransaction, isSigned } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { readTransaction } from "./recorded.ts";

const VOTE_ACCOUNT = "6Yp8EJx9v8MfhHRHTkAFNpuT1ikCLYYe83hNPLjygVc9";
const NEW_AUTHORITY = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
const NOTHING = { inner: [], loaded: [] };
/** Of another validator, which was asked for version 1. */
const OTHER_VOTE_ACCOUNT = "DTR9CmXm4CLA5H6g1LFAZsY3bEEGm8mcCNq6byTq9wDe";
const OTHER_AUTHORITY = "8eg2TBh5g6CxLpRCAxviawEpxjEZeUe1T6KQQAeMvypK";
const inflation = (basisPoints: number) => ({ of: "inflationCommission", basisPoints });

it.each([
  ["percent-7", VOTE_ACCOUNT, [inflation(700)]],
  ["authorize-withdrawer", VOTE_ACCOUNT, [{ of: "withdrawAuthority", to: NEW_AUTHORITY }]],
  ["bps-800-by-new-authority", NEW_AUTHORITY, [inflation(800)]],
  ["two-in-one-10000-then-0", NEW_AUTHORITY, [inflation(10_000), inflation(0)]],
  ["block-revenue-5000", NEW_AUTHORITY, [{ of: "blockRevenueCommission", basisPoints: 5000 }]],
  ["v0-1234", NEW_AUTHORITY, [inflation(1234)]],
  [
    "v1-authorize-withdrawer",
    OTHER_VOTE_ACCOUNT,
    [{ of: "withdrawAuthority", to: OTHER_AUTHORITY }],
  ],
  ["v1-all-settings-percent-6-then-678", OTHER_AUTHORITY, [inflation(600), inflation(678)]],
  ["v1-failed-9900-without-settings", OTHER_AUTHORITY, [inflation(9900)]],
])(
  "what a validator answered is read as what its name says, and signed: %s",
  (name, key, changes) => {
    const voteAccount = name.startsWith("v1") ? OTHER_VOTE_ACCOUNT : VOTE_ACCOUNT;
    const { bytes, version } = readTransaction(name);
    const transaction = decodeTransaction(bytes);
    expect(transaction).toMatchObject({ version, requiredSignatures: 2, loadedCount: 0 });
    expect(isSigned(transaction)).toBe(true);
    expect(findVoteChanges(transaction, NOTHING)).toMatchObject(
      changes.map((change) => ({ voteAccount, authority: { key }, change, proof: "signature" })),
    );
  },
);
