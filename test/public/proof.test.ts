import { describe, expect, it } from "vitest";
import { VERIFIED } from "../../generator/contract/event.ts";
import { isSwept, toProofText, toStepsText } from "../../public/format/events.ts";
import { toExplorerAddress } from "../../public/format/url.ts";

const KEY = "Vote111111111111111111111111111111111111111";
const SIGNATURE = "5".repeat(88);

describe("the address of a transaction or an account in the explorer", () => {
  it("names the cluster, where the explorer knows it", () => {
    expect(toExplorerAddress("tx", SIGNATURE, "mainnet")).toBe(`https://explorer.solana.com/tx/${SIGNATURE}`);
    expect(toExplorerAddress("address", KEY, "testnet")).toBe(
      `https://explorer.solana.com/address/${KEY}?cluster=testnet`,
    );
    expect(toExplorerAddress("tx", SIGNATURE, "alpenglow")).toBeNull();
  });

  it.each(["", "short", "../../evil", `${KEY}?x`, `${KEY}#`, "0".repeat(44), `${KEY}\n`, "5".repeat(89)])(
    "is none for %j, which is no name of the chain",
    (name) => expect(toExplorerAddress("tx", name, "mainnet")).toBeNull(),
  );
});

describe("what proves a change", () => {
  it("has words of its own for each way of being verified, and the API's for one to come", () => {
    const texts = VERIFIED.map(toProofText);
    expect(new Set(texts).size).toBe(VERIFIED.length);
    expect(texts.filter((text) => (VERIFIED as readonly string[]).includes(text))).toEqual([]);
    expect(toProofText("by two moons")).toBe("by two moons");
  });

  it("is all there is of a change that no observation saw", () => {
    const transaction = {
      signature: SIGNATURE,
      slot: 1,
      blockTime: null,
      signer: KEY,
      verified: "signature",
      steps: [],
    };
    expect(isSwept({ transaction, previousSlot: null })).toBe(true);
    expect(isSwept({ transaction, previousSlot: 0 })).toBe(false);
    expect(isSwept({ transaction: null, previousSlot: null })).toBe(false);
  });

  it("tells every rate in between with its slot", () => {
    const step = (commission: number, slot: number) => ({ signature: SIGNATURE, commission, slot });
    expect(toStepsText(5, [step(100, 1_000), step(0.25, 1_002)])).toBe(
      "5 % → 100 % in slot 1,000 → 0.25 % in slot 1,002",
    );
    expect(toStepsText(null, [step(7, 1)])).toBe("not known → 7 % in slot 1");
  });
});
