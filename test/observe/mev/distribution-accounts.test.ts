import { afterEach, describe, expect, it } from "vitest";
import {
  deriveDistributionAddress,
  PRIORITY_FEE_PROGRAMS,
  readDistributionAccounts,
} from "../../../generator/observe/mev/distribution-accounts.ts";
import { distributionAccount, TIP_PROGRAM } from "./distribution-account.ts";
import { key, withReader } from "../fixtures.ts";
import { startNode, type TestServer } from "../../rpc/rpc-server.ts";

let node: TestServer | undefined;

afterEach(async () => {
  await node?.close();
});

const SLOT = 455_000_123;

/** Reads the accounts of epoch 900 from a node that has the one given, whatever address is asked for. */
async function read(account: object | null, votes = [key(1)], program = TIP_PROGRAM) {
  node = await startNode({
    getMultipleAccounts: ([keys]: [string[]]) => ({ context: { slot: SLOT }, value: keys.map(() => account) }),
  });
  const wanted = votes.map((vote) => ({ vote, epoch: 900 }));
  return withReader(node.url, (reader) => readDistributionAccounts(reader, { program, wanted }));
}

describe("a distribution account", () => {
  const mine = { vote: key(1), basisPoints: 800 };

  it.each([
    ["before its root is uploaded", false],
    ["with its root", true],
  ])("%s holds the share", async (_, withRoot) => {
    const { found, slot } = await read(distributionAccount({ ...mine, withRoot }));
    expect(found).toEqual([{ vote: key(1), epoch: 900, exists: true, basisPoints: 800 }]);
    expect(slot).toBe(SLOT);
  });

  it.each([
    ["is missing", null],
    ["belongs to another program", distributionAccount({ ...mine, owner: key(9) })],
    ["is another validator's", distributionAccount({ ...mine, vote: key(2) })],
    ["is of another type", distributionAccount({ ...mine, accountType: "ClaimStatus" })],
    ["is empty", distributionAccount({ ...mine, bytes: 0 })],
    ["is cut before the share", distributionAccount({ ...mine, bytes: 82 })],
  ])("does not exist when it %s", async (_, account) => {
    const { found } = await read(account);
    expect(found).toEqual([{ vote: key(1), epoch: 900, exists: false, basisPoints: null }]);
  });

  it("with a root, cut before its share, exists and says nothing", async () => {
    const { found } = await read(distributionAccount({ ...mine, withRoot: true, bytes: 146 }));
    expect(found).toEqual([{ vote: key(1), epoch: 900, exists: true, basisPoints: null }]);
  });

  it("of priority fees is told from one of tips by its type and program", async () => {
    const program = PRIORITY_FEE_PROGRAMS.mainnet!;
    // The first eight bytes as two decoders of others have them.
    expect([...program.discriminator]).toEqual([163, 183, 254, 12, 121, 137, 235, 27]);
    const fees = { ...mine, owner: program.address, accountType: "PriorityFeeDistributionAccount" };
    expect((await read(distributionAccount(fees), [key(1)], program)).found[0]).toMatchObject({ basisPoints: 800 });
    expect((await read(distributionAccount(mine), [key(1)], program)).found[0]).toMatchObject({ exists: false });
  });

  it("lies at another address for each program, validator and epoch", () => {
    const addresses = [TIP_PROGRAM, PRIORITY_FEE_PROGRAMS.mainnet!].flatMap((program) =>
      [1, 2].flatMap((vote) =>
        [900, 901].map((epoch) => deriveDistributionAddress({ program, vote: key(vote), epoch })),
      ),
    );
    expect(new Set(addresses).size).toBe(8);
    expect(deriveDistributionAddress({ program: TIP_PROGRAM, vote: key(1), epoch: 900 })).toBe(addresses[0]);
  });
});
