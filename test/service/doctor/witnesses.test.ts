import { describe, expect, it } from "vitest";
import { judgeWitnesses } from "../../../generator/service/doctor/witnesses.ts";

const label = (origin: string, position: number) => `https://${origin}.example#${position}`;
const judge = (...origins: string[]) => judgeWitnesses("testnet", origins.map(label));

describe("the witnesses of a network", () => {
  it("that are one guard nobody against its lies", () => {
    expect(judge("a")).toEqual({
      level: "warning",
      subject: "witnesses",
      found: "1: not guarded against its lies",
      advice:
        "Give TESTNET_RPC_URLS endpoints of three or four providers who do not depend on each other: then one of them may lie.",
    });
  });

  it("that are two tell nothing false, and may be kept from telling anything", () => {
    expect(judge("a", "b")).toMatchObject({
      level: "warning",
      found:
        "2: nothing false is told while an honest one answers, but one that lies can keep a change disputed for ever",
      advice: expect.stringContaining("TESTNET_RPC_URLS") as string,
    });
  });

  it.each([
    ["three", ["a", "b", "c"], "3: one of them may lie"],
    ["four", ["a", "b", "c", "d"], "4: one of them may lie"],
    ["the first four of more", ["a", "b", "c", "d", "e", "f"], "4, the first of 6 origins: one of them may lie"],
  ])("that are %s may have a liar among them", (_, origins, found) => {
    expect(judge(...origins)).toEqual({ level: "ok", subject: "witnesses", found, advice: null });
  });

  it("are counted by origin, however many addresses lead there", () => {
    expect(judge("a", "a", "a")).toMatchObject({
      level: "warning",
      found: "1 (3 endpoints: those at one origin are one witness): not guarded against its lies",
    });
    expect(judge("a", "b", "a", "c")).toMatchObject({
      level: "ok",
      found: "3 (4 endpoints: those at one origin are one witness): one of them may lie",
    });
  });
});
