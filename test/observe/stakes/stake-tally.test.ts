import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { U64_MAX } from "../../../generator/rpc/answer.ts";
import { indexVoters, toStakeRows } from "../../../generator/observe/stakes/stake-tally.ts";
import { tallyWhole } from "../../../generator/observe/stakes/stake-answers.ts";
import { key } from "../fixtures.ts";
import {
  delegation,
  EPOCH,
  NOW,
  tallyPlainly,
  toAnswer,
  toBody,
  toChunks,
  toSlice,
  VOTES,
  type Delegation,
} from "./stakes.ts";

const voters = indexVoters(VOTES);
const sumUp = (...chunks: (string | Uint8Array)[]) =>
  tallyWhole(toBody(...chunks), { voters, epoch: EPOCH });
const tally = async (...chunks: (string | Uint8Array)[]) =>
  toStakeRows(VOTES, await sumUp(...chunks));

describe("the sums over stake accounts", () => {
  // Activating, deactivating, delegations, effective.
  it.each<[string, Partial<Delegation>, [bigint, bigint, number], bigint]>([
    ["active for long", { activation: 900n }, [0n, 0n, 1], 5n],
    ["of the genesis block", { activation: U64_MAX }, [0n, 0n, 1], 5n],
    [
      "of the genesis block, deactivating",
      { activation: U64_MAX, deactivation: NOW },
      [0n, 5n, 1],
      5n,
    ],
    [
      "of the genesis block, long gone",
      { activation: U64_MAX, deactivation: 900n },
      [0n, 0n, 0],
      0n,
    ],
    ["activated in the epoch before", { activation: NOW - 1n }, [0n, 0n, 1], 5n],
    ["activating", { activation: NOW }, [5n, 0n, 1], 0n],
    ["to activate in the next epoch", { activation: NOW + 1n }, [0n, 0n, 1], 0n],
    ["deactivating", { deactivation: NOW }, [0n, 5n, 1], 5n],
    ["to be deactivated in the next epoch", { deactivation: NOW + 1n }, [0n, 0n, 1], 5n],
    ["deactivated in the epoch before", { deactivation: NOW - 1n }, [0n, 0n, 0], 0n],
    [
      "activated and deactivated in this epoch",
      { activation: NOW, deactivation: NOW },
      [0n, 0n, 0],
      0n,
    ],
    [
      "activated and deactivated in an old epoch",
      { activation: 900n, deactivation: 900n },
      [0n, 0n, 0],
      0n,
    ],
    [
      "activated and deactivated in a later epoch",
      { activation: NOW + 1n, deactivation: NOW + 1n },
      [0n, 0n, 0],
      0n,
    ],
    [
      "of an epoch that differs from this one only above 2^32",
      { activation: NOW + 2n ** 32n },
      [0n, 0n, 1],
      0n,
    ],
    ["deactivated in such an epoch", { deactivation: NOW + 2n ** 32n }, [0n, 0n, 1], 5n],
    [
      "above 2^53",
      { activation: NOW, stake: 38_263_229_364_446_901n },
      [38_263_229_364_446_901n, 0n, 1],
      0n,
    ],
    ["to a vote account nobody asked about", { vote: key(3), activation: NOW }, [0n, 0n, 0], 0n],
  ])("take a delegation %s for what it is", async (_, fields, expected, effective) => {
    const sums = await sumUp(toAnswer([delegation(fields)]));
    expect(toStakeRows(VOTES, sums)[0]).toEqual([key(1), ...expected]);
    expect(sums.effective[0]).toBe(effective);
  });

  it("are those of a plain reading for any delegations in chunks of any size", async () => {
    const epochs = fc.constantFrom(0n, NOW - 1n, NOW, NOW + 1n, NOW + 2n ** 32n, U64_MAX);
    const delegations = fc.array(
      fc.record({
        vote: fc.constantFrom(key(1), key(2), key(3)),
        stake: fc.bigInt(0n, 2n ** 58n),
        activation: epochs,
        deactivation: epochs,
      }),
      { minLength: 1, maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(delegations, fc.integer({ min: 1, max: 400 }), async (some, size) => {
        const text = toAnswer(some);
        await expect(tally(...toChunks(text, size))).resolves.toEqual(tallyPlainly(text));
      }),
    );
  });
});

const slice = toSlice(delegation());

it.each([
  ["is whole", Buffer.alloc(200).toString("base64")],
  ["is a byte short", Buffer.alloc(55).toString("base64")],
  ["has no padding", slice.slice(0, -1)],
  ["has padding for a byte more", `${slice.slice(0, -2)}==`],
  ["has a letter in place of the padding", `${slice.slice(0, -1)}A`],
  ["is of the other base64 alphabet", `${"-_".repeat(37)}A=`],
  ["is no base64", `${"!".repeat(75)}=`],
  ["has a space in it", `${slice.slice(0, 40)} ${slice.slice(41)}`],
  ["is empty", ""],
])("an account that is not the slice asked for is refused when it %s", async (_, data) => {
  const text = JSON.stringify({ result: { value: [{ account: { data: [data, "base64"] } }] } });
  await expect(tally(text)).rejects.toMatchObject({
    kind: "shape",
    message: /account 1 of the answer/,
  });
});
