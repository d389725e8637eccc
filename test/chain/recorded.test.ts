import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeTransaction, encodeSignature, isSigned } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { readRecorded, readTransaction } from "./recorded.ts";

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

/** The same transaction as the validator reads it itself. */
const parsedSchema = z.object({
  result: z.object({
    version: z.literal("legacy"),
    transaction: z.object({
      signatures: z.array(z.string()),
      message: z.object({
        accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.boolean() })),
        instructions: z.array(
          z.object({
            programId: z.string(),
            parsed: z.object({
              type: z.literal("updateCommissionBps"),
              info: z.object({
                voteAccount: z.string(),
                withdrawAuthority: z.string(),
                commissionBps: z.int(),
                commissionKind: z.literal("InflationRewards"),
              }),
            }),
          }),
        ),
      }),
    }),
  }),
});

describe("what the validator itself reads in a transaction", () => {
  const name = "bps-800-by-new-authority";
  const { version, transaction: parsed } = parsedSchema.parse(readRecorded(`jsonParsed.${name}`)).result;
  const decoded = decodeTransaction(readTransaction(name).bytes);

  it("is what is read here: signatures, keys, who signs, programs", () => {
    const { accountKeys, instructions } = parsed.message;
    expect(decoded.signatures.map(encodeSignature)).toEqual(parsed.signatures);
    expect(decoded.keys).toEqual(accountKeys.map(({ pubkey }) => pubkey));
    expect(decoded.keys.map((_, place) => place < decoded.requiredSignatures)).toEqual(
      accountKeys.map(({ signer }) => signer),
    );
    expect(decoded.instructions.map(({ program }) => decoded.keys[program])).toEqual(
      instructions.map(({ programId }) => programId),
    );
    expect(decoded.version).toBe(version);
  });

  it("is what is found here: account, authority and rate", () => {
    expect(findVoteChanges(decoded, { inner: [], loaded: [] })).toMatchObject(
      parsed.message.instructions.map(({ parsed: { info } }) => ({
        voteAccount: info.voteAccount,
        authority: { key: info.withdrawAuthority },
        change: inflation(info.commissionBps),
      })),
    );
  });
});
