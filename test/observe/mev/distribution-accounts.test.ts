import { describe, expect, it } from "vitest";
import * as distribution from "../../../generator/observe/mev/distribution-accounts.ts";
import { PRIORITY_FEE_PROGRAMS } from "../../../generator/observe/mev/tip-programs.ts";
import { key, readFrom } from "../fixtures.ts";
import { distributionAccount, TIP_PROGRAM } from "./distribution-account.ts";

const FEE_PROGRAM = PRIORITY_FEE_PROGRAMS.mainnet!;
const SLOT = 455_000_123;

/** Epoch 900, from a node that returns the account for any address. */
function read(account: object | null, program = TIP_PROGRAM) {
  const getMultipleAccounts = { context: { slot: SLOT }, value: [account] };
  const wanted = [{ vote: key(1), epoch: 900 }];
  return readFrom({ getMultipleAccounts }, (reader) =>
    distribution.readDistributionAccounts(reader, { program, wanted }),
  );
}

describe("a distribution account", () => {
  const mine = { vote: key(1), basisPoints: 800 };

  const exists = (basisPoints: number | null) => ({
    found: [{ vote: key(1), epoch: 900, exists: true, basisPoints }],
    slot: SLOT,
  });

  it.each([
    ["before its root is uploaded holds the share", {}, 800],
    ["with its root holds the share", { withRoot: true }, 800],
    ["cut behind its share holds it", { bytes: 83 }, 800],
    ["with a root, cut behind its share, holds it", { withRoot: true, bytes: 147 }, 800],
    [
      "with a root, cut before its share, exists and says nothing",
      { withRoot: true, bytes: 146 },
      null,
    ],
  ])("%s", async (_, facts, share) => {
    expect(await read(distributionAccount({ ...mine, ...facts }))).toEqual(exists(share));
  });

  it.each([
    ["is missing", null],
    ["belongs to another program", { owner: key(9) }],
    ["is another validator's", { vote: key(2) }],
    ["is of another type", { accountType: "ClaimStatus" }],
    ["is empty", { bytes: 0 }],
    ["is cut before the share", { bytes: 82 }],
  ])("does not exist when it %s", async (_, facts) => {
    const { found } = await read(facts && distributionAccount({ ...mine, ...facts }));
    expect(found).toEqual([{ vote: key(1), epoch: 900, exists: false, basisPoints: null }]);
  });

  it("of priority fees differs from one of tips by its type and program", async () => {
    // As two other decoders have them.
    expect([...FEE_PROGRAM.discriminator]).toEqual([163, 183, 254, 12, 121, 137, 235, 27]);
    const fees = {
      ...mine,
      owner: FEE_PROGRAM.address,
      accountType: "PriorityFeeDistributionAccount",
    };
    expect(await read(distributionAccount(fees), FEE_PROGRAM)).toEqual(exists(800));
    expect((await read(distributionAccount(mine), FEE_PROGRAM)).found).toMatchObject([
      { exists: false },
    ]);
  });
});
