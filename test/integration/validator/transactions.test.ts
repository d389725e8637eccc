import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { decodeTransaction, encodeSignature } from "../../../generator/chain/transaction.ts";
import { findVoteChanges } from "../../../generator/chain/vote-changes.ts";
import { TRANSACTION_OPTIONS } from "../../../generator/observe/transactions/transaction-answer.ts";
import { accountSchema, decodeVoteAccount } from "../../../generator/observe/accounts.ts";
import type { Version } from "../../cluster/transactions/message-layout.ts";
import { layOut, u64 } from "../../cluster/transactions/layout.ts";
import {
  CLOCK,
  SYSTEM_PROGRAM,
  authorizeWithdrawer,
  updateBlockRevenueCommission,
  updateCommission,
  updateCommissionBasisPoints,
  updateCommissionCollector,
} from "../../cluster/transactions/programs.ts";
import {
  type Keypair,
  readonly,
  signer,
  writable,
  writableSigner,
  type Instruction,
} from "../../cluster/transactions/message.ts";
import { createKeypair } from "./keys.ts";
import {
  addressWithSeed,
  authorizeWithdrawerChecked,
  authorizeWithdrawerCheckedWithSeed,
  authorizeWithdrawerWithSeed,
  withdrawFromVoteAccount,
} from "./vote-program.ts";
import { createVoteAccount } from "./members.ts";
import { NodeError } from "./rpc.ts";
import { sendAndConfirm } from "./transactions.ts";
import { hasValidator, startValidator, type Validator } from "./validator.ts";

const signaturesSchema = z.array(
  z.object({ signature: z.string(), slot: z.int(), err: z.unknown() }),
);
const answerSchema = z.object({
  value: accountSchema.extend({ lamports: z.int().transform(BigInt) }).nullable(),
});

const transactionSchema = z.object({ transaction: z.tuple([z.base64(), z.literal("base64")]) });

describe.skipIf(!hasValidator)("a transaction on a real validator", () => {
  let validator: Validator;
  beforeAll(async () => {
    validator = await startValidator({ slotsPerEpoch: 32 });
    return () => validator.close();
  });

  const execute = (
    instructions: Instruction[],
    keys: Keypair[] = [],
    version: Version = "legacy",
  ) => sendAndConfirm(validator.ask, { keys: [validator.faucet, ...keys], instructions, version });

  async function readAccount(address: string) {
    const options = { commitment: "finalized", encoding: "base64" };
    return (await validator.ask("getAccountInfo", [address, options], answerSchema)).value;
  }

  async function openAccount(): Promise<[Keypair, Keypair]> {
    const [vote, node, owner] = [createKeypair(), createKeypair(), createKeypair()];
    const owners = {
      vote: vote.address,
      node: node.address,
      voter: owner.address,
      withdrawer: owner.address,
    };
    await execute(createVoteAccount(validator.faucet, owners, null, 500), [vote, node]);
    return [vote, owner];
  }

  async function findChanges(signature: string) {
    const answer = await validator.ask(
      "getTransaction",
      [signature, TRANSACTION_OPTIONS],
      transactionSchema,
    );
    const transaction = decodeTransaction(
      new Uint8Array(Buffer.from(answer.transaction[0], "base64")),
    );
    expect(transaction.signatures.slice(0, 1).map(encodeSignature)).toEqual([signature]);
    const found = findVoteChanges(transaction, { inner: [], loaded: [] });
    expect(new Set(found.map(({ proof }) => proof))).toEqual(new Set(["signature"]));
    return found.map(({ change, authorities }) => [change, authorities]);
  }

  async function readBasisPoints(address: string): Promise<number | null> {
    return decodeVoteAccount(await readAccount(address)).basisPoints;
  }

  it("changes a commission, and is found by who signed it at the slot in which it did", async () => {
    const { ask, vote } = validator;
    const landed = await execute(
      [updateCommissionBasisPoints(vote.address, vote.address, 525)],
      [vote],
    );
    expect(await readBasisPoints(vote.address)).toBe(525);
    const { signature, slot } = await execute(
      [updateCommission(vote.address, vote.address, 7)],
      [vote],
      0,
    );
    expect(await readBasisPoints(vote.address)).toBe(700);
    expect(slot).toBeGreaterThan(landed.slot);
    const latest = await execute(
      [updateCommissionBasisPoints(vote.address, vote.address, 250)],
      [vote],
      1,
    );
    expect(await readBasisPoints(vote.address)).toBe(250);
    const found = await ask(
      "getSignaturesForAddress",
      [vote.address, { limit: 1000 }],
      signaturesSchema,
    );
    expect(found).toContainEqual({ signature, slot, err: null });
    expect(found).toContainEqual({ ...landed, err: null });
    expect(found).toContainEqual({ ...latest, err: null });
  });

  it("of another than the withdraw authority is refused, and says why", async () => {
    const stranger = createKeypair();
    const change = updateCommissionBasisPoints(validator.vote.address, stranger.address, 10_000);
    const refused = execute([change], [stranger]);
    await expect(refused).rejects.toThrow(NodeError);
    await expect(refused).rejects.toThrow("MissingRequiredSignature");
  });

  it.each<Version>(["legacy", 1])(
    "is read here as the runtime took it in version %s, wherever who agrees to it stands and whatever follows the fields",
    async (version) => {
      const [vote, owner] = await openAccount();
      const [account, by, faucet] = [vote.address, owner.address, validator.faucet.address];
      const change = updateCommissionBasisPoints(account, by, 100);
      const { signature } = await execute(
        [
          { ...change, accounts: [writable(account), readonly(CLOCK), signer(by)] },
          { ...change, accounts: [writable(account), signer(faucet), signer(by)] },
          { ...change, data: layOut(change.data, u64(1n)) },
          updateBlockRevenueCommission(account, by, 5_000),
          updateCommissionCollector(account, by, { of: "inflation rewards", to: faucet }),
          authorizeWithdrawer(account, by, account),
          { ...updateCommission(account, account, 4), accounts: [writableSigner(account)] },
        ],
        [owner, vote],
        version,
      );
      const inflation = { of: "inflationCommission", basisPoints: 100 };
      // The vote account signs the last instruction, so it may have agreed to the others.
      expect(await findChanges(signature)).toEqual([
        [inflation, [account, by]],
        [inflation, [faucet, account, by]],
        [inflation, [by, account]],
        [{ of: "blockRevenueCommission", basisPoints: 5_000 }, [by, account]],
        [{ of: "inflationCollector", to: faucet }, [by, account, faucet]],
        [{ of: "withdrawAuthority", to: account }, [by, account]],
        [{ of: "inflationCommission", basisPoints: 400 }, [account]],
      ]);
      expect(await readBasisPoints(account)).toBe(400);
    },
  );

  it("names other withdraw authorities, by an address from a seed too, as it is read here", async () => {
    const [{ address: account }, owner] = await openAccount();
    const next = createKeypair();
    const seeded = { base: owner.address, owner: SYSTEM_PROGRAM, seed: "a seed" };
    const derived = addressWithSeed(seeded);
    const { signature } = await execute(
      [
        authorizeWithdrawer(account, owner.address, derived),
        authorizeWithdrawerWithSeed(account, seeded, next.address),
        authorizeWithdrawerChecked(account, next.address, owner.address),
        authorizeWithdrawer(account, owner.address, derived),
        authorizeWithdrawerCheckedWithSeed(account, seeded, next.address),
        updateCommissionBasisPoints(account, next.address, 20_000),
      ],
      [owner, next],
      0,
    );
    const to = (key: string) => ({ of: "withdrawAuthority", to: key });
    expect(await findChanges(signature)).toEqual([
      [to(derived), [owner.address]],
      [to(next.address), [derived]],
      [to(owner.address), [next.address, owner.address]],
      [to(derived), [owner.address]],
      [to(next.address), [derived]],
      [{ of: "inflationCommission", basisPoints: 10_000 }, [next.address]],
    ]);
    expect(await readBasisPoints(account)).toBe(20_000);
  });

  it("closes a vote account and opens it again with another commission", async () => {
    const [vote, node, owner] = [createKeypair(), createKeypair(), createKeypair()];
    const owners = {
      vote: vote.address,
      node: node.address,
      voter: owner.address,
      withdrawer: owner.address,
    };
    const open = (basisPoints: number) =>
      execute(createVoteAccount(validator.faucet, owners, null, basisPoints), [vote, node]);
    await open(500);
    const { lamports } = (await readAccount(vote.address))!;
    expect(await readBasisPoints(vote.address)).toBe(500);
    const to = validator.faucet.address;
    await execute(
      [withdrawFromVoteAccount({ vote: vote.address, to, withdrawer: owner.address, lamports })],
      [owner],
    );
    expect(await readAccount(vote.address)).toBeNull();
    await open(10_000);
    expect(await readBasisPoints(vote.address)).toBe(10_000);
  });
});
