import { describe, expect, it } from "vitest";
import { NETWORKS as CONTRACT_NETWORKS } from "../../generator/contract/networks.ts";
import {
  NETWORKS,
  readChoice,
  readNetwork,
  readWhole,
  toAddress,
  toValidatorAddress,
} from "../../public/format/url.ts";

describe("the address of a view", () => {
  it("leaves out the default network and what is null", () => {
    expect(toAddress("/", { network: "mainnet", severity: null })).toBe("/");
    expect(toAddress("/validators", { network: "testnet", page: 2 })).toBe("/validators?network=testnet&page=2");
  });

  it("encodes what was typed", () => {
    expect(toAddress("/validators", { q: "a&b=ü#" })).toBe("/validators?q=a%26b%3D%C3%BC%23");
    expect(toValidatorAddress("../x", "alpenglow")).toBe("/validators/..%2Fx?network=alpenglow");
  });

  it("names every network of the API, or else the default one", () => {
    expect(NETWORKS).toEqual(CONTRACT_NETWORKS);
    expect(readNetwork({ network: "testnet" })).toBe("testnet");
    for (const network of ["", "TESTNET", "__proto__"]) expect(readNetwork({ network })).toBe("mainnet");
    expect(readNetwork({})).toBe("mainnet");
  });

  it("is read with care: what is no choice and no number within its bounds is the default", () => {
    expect(readChoice("RUG", ["RUG", "INFO"], "all")).toBe("RUG");
    expect(readChoice("rug", ["RUG", "INFO"], "all")).toBe("all");
    const bounds = { min: 1, max: 50, otherwise: 10 };
    expect(readWhole("50", bounds)).toBe(50);
    for (const text of [undefined, "", "0", "51", "-1", "1.5", "1e1", " 7", "9".repeat(400)])
      expect(readWhole(text, bounds)).toBe(10);
  });
});
