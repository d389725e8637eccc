import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodePublicKey } from "../../generator/observe/public-key.ts";
import { decodeTipAccount, deriveTipAddress } from "../../generator/observe/tip-accounts.ts";
import { key } from "./fixtures.ts";

const PROGRAM = "4R3gSG8BpU4t19KYj8CfnbtRpnT8gtk4dvTHxVRwc2r7";
const wanted = { program: PROGRAM, vote: key(1) };

function tipAccount({
  withRoot,
  basisPoints,
  vote = key(1),
  owner = PROGRAM,
}: {
  withRoot: boolean;
  basisPoints: number;
  vote?: string;
  owner?: string;
}) {
  const data = Buffer.alloc(168);
  createHash("sha256").update("account:TipDistributionAccount").digest().copy(data, 0, 0, 8);
  data.set(decodePublicKey(vote), 8);
  data.writeUInt8(withRoot ? 1 : 0, 72);
  // A root of other bytes, so that reading at the wrong offset gives another number.
  if (withRoot) data.fill(0xee, 73, 137);
  data.writeUInt16LE(basisPoints, withRoot ? 145 : 81);
  return { owner, data };
}

describe("a tip account", () => {
  it.each([
    ["before its root is uploaded", false],
    ["with its root", true],
  ])("%s holds the commission", (_, withRoot) => {
    expect(decodeTipAccount(tipAccount({ withRoot, basisPoints: 800 }), wanted)).toEqual({
      exists: true,
      mevBasisPoints: 800,
    });
  });

  it.each([
    ["is missing", null],
    ["belongs to another program", tipAccount({ withRoot: false, basisPoints: 800, owner: key(9) })],
    ["is another validator's", tipAccount({ withRoot: false, basisPoints: 800, vote: key(2) })],
    ["is of another type", { owner: PROGRAM, data: Buffer.alloc(168) }],
    ["is empty", { owner: PROGRAM, data: Buffer.alloc(0) }],
  ])("does not exist when it %s", (_, account) => {
    expect(decodeTipAccount(account, wanted)).toEqual({ exists: false, mevBasisPoints: null });
  });

  it("cut before its commission exists and says nothing", () => {
    const { owner, data } = tipAccount({ withRoot: true, basisPoints: 800 });
    expect(decodeTipAccount({ owner, data: data.subarray(0, 146) }, wanted)).toEqual({
      exists: true,
      mevBasisPoints: null,
    });
  });

  it("lies at another address for each validator and epoch", () => {
    const addresses = [1, 2].flatMap((vote) =>
      [900, 901].map((epoch) => deriveTipAddress({ program: PROGRAM, vote: key(vote), epoch })),
    );
    expect(new Set(addresses).size).toBe(4);
    expect(deriveTipAddress({ program: PROGRAM, vote: key(1), epoch: 900 })).toBe(addresses[0]);
  });
});
