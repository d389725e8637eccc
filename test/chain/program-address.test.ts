import { describe, expect, it } from "vitest";
import { deriveProgramAddress } from "../../generator/chain/program-address.ts";
import { publicKeySchema } from "../../generator/chain/public-key.ts";

const PROGRAM = "CZ3TbkgUYpDAJVEWpujQhDSgzNTeqbokrJmYa1j4HAZc";
const bytes = (text: string) => new TextEncoder().encode(text);

describe("deriveProgramAddress", () => {
  it.each([
    [
      "the first bump",
      [Uint8Array.of(1, 2, 3)],
      "FD3PDEvpQ9JXq8tv7FpJPyZrCjWkCnAaTju16gFPdpqP",
      "9Tj3hpMWacDiZoBe94sjwJQ72zsUVvEQYsrqyy2CfHky",
    ],
    [
      "the fifth",
      [],
      "EfTbwNBrSqSuCNBhWUHsBoBdSMWgRU1S47daqRNgW7aK",
      "CKWT8KZ5GMzKpVRiAULWKPg1LiHt9U3NdAtbuTErHCTq",
    ],
    [
      "the fifth",
      [bytes("🚀")],
      "H8gBP21L5ietkHgXcGbgQBCVVEdPUQyuP9Q5MPRLLSJu",
      "46v3JvPtEPeQmH3euXydEbxYD6yfxeZjWSzkkYvvM5Pp",
    ],
  ])(
    "agrees with the chain's tools where %s is the first that gives no point of the curve (%#)",
    (_, seeds, program, address) => {
      expect(deriveProgramAddress(seeds, program)).toBe(address);
    },
  );

  it.each([
    ["At most 15 seeds", Array.from({ length: 16 }, () => bytes(""))],
    ["at most 32 bytes", [new Uint8Array(33)]],
  ])("refuses more than the runtime takes: %s", (message, seeds) => {
    expect(() => deriveProgramAddress(seeds, PROGRAM)).toThrow(message);
  });
});

it.each([
  ["too few bytes", "1111111111111111111111111111111"],
  ["33 bytes in 44 characters", "1".repeat(33)],
  ["more than 32 bytes in 44 characters", "z".repeat(44)],
  ["a character that is not Base58", "0ote111111111111111111111111111111111111111"],
  ["megabytes of text", "2".repeat(2_000_000)],
])("public keys are refused with %s", (_, text) => {
  expect(publicKeySchema.safeParse(text).success).toBe(false);
});
