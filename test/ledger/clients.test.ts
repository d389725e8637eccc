import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../generator/contract/clients.ts";
import { toClientId } from "../../generator/ledger/identities.ts";

describe("a client id", () => {
  it.each(CLIENTS.map(({ id, name }) => [name, id]))("is found by the registry's name «%s»", (name, id) => {
    expect(toClientId(name)).toBe(id);
  });

  it.each([
    ["SolanaLabs", 0],
    ["JitoLabs", 1],
    ["AgavePaladin", 4],
    ["AgaveBam", 6],
    ["FireBam", 12],
    ["Unknown(8)", 8],
    ["Unknown(86)", 86],
    ["Unknown(65535)", 65_535],
    ["11", 11],
    [3, 3],
    [86, 86],
    ["Unknown(65536)", null],
    ["Unknown(-1)", null],
    ["Unknown()", null],
    ["doublezero", null],
    ["", null],
    [-1, null],
    [2.5, null],
    [65_536, null],
    [Number.NaN, null],
    ["Unknown(8) ", null],
    ["86 beers", null],
    [null, null],
    ["A".repeat(512), null],
  ])("written as %j is %s", (raw, id) => {
    expect(toClientId(raw)).toBe(id);
  });
});

it("the registry holds the numbers 0 to 13, each once", () => {
  expect(CLIENTS.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, id) => id));
});
