import { describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeTransaction, encodeSignature, isSigned } from "../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../generator/chain/vote-changes.ts";
import { readRecorded, readTransaction } from "./recorded.ts";

const VOTE_ACCOUNT = "6Yp8EJx9v8MfhHRHTkAFNpuT1ikCLYYe83hNPLjygVc9";
const NEW_AUTHORITY = "571HLvp3zs9YKSa87SXYH44gcNFEyZDJxwJr1WRj8WkU";
const NOTHING = { inner: [], loaded: [] };
const inflation = (basisPoints: number) => ({ of: "inflationCommission", basisPoints });

it.each([
  ["bps-525", VOTE_ACCOUNT, [inflation(525)]],
  ["bps-10000", VOTE_ACCOUNT, [inflation(10_000)]],
  ["percent-7", VOTE_ACCOUNT, [inflation(700)]],
  ["authorize-withdrawer", VOTE_ACCOUNT, [{ of: "withdrawAuthority", to: NEW_AUTHORITY }]],
  ["bps-800-by-new-authority", NEW_AUTHORITY, [inflation(800)]],
  ["two-in-one-10000-then-0", NEW_AUTHORITY, [inflation(10_000), inflation(0)]],
  ["block-revenue-5000", NEW_AUTHORITY, [{ of: "blockRevenueCommission", basisPoints: 5000 }]],
  ["v0-1234", NEW_AUTHORITY, [inflation(1234)]],
  // Signed by the old authority after the handover, so it failed.
  ["failed-9900", VOTE_ACCOUNT, [inflation(9900)]],
])("what a validator answered is read as what its name says, and signed: %s", (name, key, changes) => {
  const { bytes, version } = readTransaction(name);
  const transaction = decodeTransaction(bytes);
  expect(transaction).toMatchObject({ version, requiredSignatures: 2, loadedCount: 0 });
  expect(isSigned(transaction)).toBe(true);
  expect(findVoteChanges(transaction, NOTHING)).toMatchObject(
    changes.map((change) => ({ voteAccount: VOTE_ACCOUNT, authority: { key }, change, proof: "signature" })),
  );
});

const info = z.object({ voteAccount: z.string(), withdrawAuthority: z.string(), commissionBps: z.int() });
const parsedSchema = z.object({
  version: z.literal("legacy"),
  transaction: z.object({
    signatures: z.array(z.string()),
    message: z.object({
      accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.boolean() })),
      instructions: z.array(z.object({ programId: z.string(), parsed: z.object({ info }) })),
    }),
  }),
});

describe("what the validator itself reads in a transaction", () => {
  const name = "bps-800-by-new-authority";
  const answer = z.object({ result: parsedSchema }).parse(readRecorded(`jsonParsed.${name}`));
  const { version, transaction } = answer.result;
  const { accountKeys, instructions } = transaction.message;
  const decoded = decodeTransaction(readTransaction(name).bytes);

  it("is what is read here: signatures, keys, who signs, programs", () => {
    expect(decoded.version).toBe(version);
    expect(decoded.signatures.map(encodeSignature)).toEqual(transaction.signatures);
    const keys = decoded.keys.map((pubkey, place) => ({ pubkey, signer: place < decoded.requiredSignatures }));
    expect(keys).toEqual(accountKeys);
    const programs = decoded.instructions.map(({ program }) => decoded.keys[program]);
    expect(programs).toEqual(instructions.map(({ programId }) => programId));
  });

  it("is what is found here: account, authority and rate", () => {
    expect(findVoteChanges(decoded, NOTHING)).toMatchObject(
      instructions.map(
        ({
          parsed: {
            info: { voteAccount, withdrawAuthority, commissionBps },
          },
        }) => ({ voteAccount, authority: { key: withdrawAuthority }, change: inflation(commissionBps) }),
      ),
    );
  });
});
