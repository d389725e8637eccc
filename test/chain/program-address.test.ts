import { describe, expect, it } from "vitest";
import { deriveProgramAddress } from "../../generator/chain/program-address.ts";
import { decodePublicKey, encodePublicKey, publicKeySchema } from "../../generator/chain/public-key.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("deriveProgramAddress", () => {
  it.each([
    {
      seeds: [],
      program: "CZ3TbkgUYpDAJVEWpujQhDSgzNTeqbokrJmYa1j4HAZc",
      address: "9tVtkyCGAHSDDBPwz7895aC3p2gJRjpu2v26o35FTUco",
    },
    {
      seeds: [Uint8Array.of(1, 2, 3)],
      program: "FD3PDEvpQ9JXq8tv7FpJPyZrCjWkCnAaTju16gFPdpqP",
      address: "9Tj3hpMWacDiZoBe94sjwJQ72zsUVvEQYsrqyy2CfHky",
    },
    {
      seeds: [bytes("🚀")],
      program: "A5dcVPLJsE2vbf7hkqqyYkYDK9UjUfNxuwGtWF2m2vEz",
      address: "GYpAzW57Ex4Sw3rp4pq95QrjvtsDyqZsMhSZwqz3NMsE",
    },
  ])("agrees with the chain's tools where the first bump fits: $address", ({ seeds, program, address }) => {
    expect(deriveProgramAddress(seeds, program)).toBe(address);
  });

  it.each([
    {
      seeds: [],
      program: "EfTbwNBrSqSuCNBhWUHsBoBdSMWgRU1S47daqRNgW7aK",
      address: "CKWT8KZ5GMzKpVRiAULWKPg1LiHt9U3NdAtbuTErHCTq",
    },
    {
      seeds: [bytes("hello")],
      program: "9PyoV2rqNtoboSvg2JD7GWhM5RQvHGwgdDvK7MCfpgX1",
      address: "E6npEurFu1UEbQFh1DsqBvny17XxUK2QPMgxD3Edn3aG",
    },
    {
      seeds: [bytes("🚀")],
      program: "H8gBP21L5ietkHgXcGbgQBCVVEdPUQyuP9Q5MPRLLSJu",
      address: "46v3JvPtEPeQmH3euXydEbxYD6yfxeZjWSzkkYvvM5Pp",
    },
  ])(
    "agrees with the chain's tools where four bumps give points of the curve: $address",
    ({ seeds, program, address }) => {
      expect(deriveProgramAddress(seeds, program)).toBe(address);
    },
  );

  it("refuses more seeds, or longer ones, than the runtime takes", () => {
    const program = "CZ3TbkgUYpDAJVEWpujQhDSgzNTeqbokrJmYa1j4HAZc";
    expect(() =>
      deriveProgramAddress(
        Array.from({ length: 16 }, () => bytes("")),
        program,
      ),
    ).toThrow("At most 15 seeds");
    expect(() => deriveProgramAddress([new Uint8Array(33)], program)).toThrow("at most 32 bytes");
  });
});

describe("public keys", () => {
  it("survive decoding and encoding", () => {
    const text = "Vote111111111111111111111111111111111111111";
    expect(encodePublicKey(decodePublicKey(text))).toBe(text);
  });

  it.each([
    ["too few bytes", "1111111111111111111111111111111"],
    ["33 bytes in 44 characters", "1".repeat(33)],
    ["more than 32 bytes in 44 characters", "z".repeat(44)],
    ["a character that is not Base58", "0ote111111111111111111111111111111111111111"],
    ["megabytes of text", "2".repeat(2_000_000)],
  ])("are refused with %s", (_, text) => {
    expect(publicKeySchema.safeParse(text).success).toBe(false);
  });
});
