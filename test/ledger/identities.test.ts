import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../generator/contract/clients.ts";
import { toClientId, toVersion } from "../../generator/ledger/identities.ts";
import { remember } from "../../generator/ledger/remember.ts";
import { HAS_RECORDED, RECORDED } from "../observe/fixtures.ts";

describe("a version", () => {
  it.each([
    ["4.2.1", "4.2.1"],
    ["4.1.0-rc.1", "4.1.0-rc.1"],
    ["0.505.20216", "0.505.20216"],
    ["0.106.0-rc.40107", "0.106.0-rc.40107"],
    ["4.2.1 (src:0a1b2c3d; feat:1, client:Agave)", "4.2.1"],
    ["1.1.19 e651209f", "1.1.19"],
    ["4.16386.2", "4.2.0-rc.2"],
    ["4.32770.0", "4.2.0-beta.0"],
    ["4.49154.1", "4.2.0-alpha.1"],
  ])("%s reads %s", (raw, version) => {
    expect(toVersion(raw)).toBe(version);
  });

  it.each(["", "unknown", "4.1", "v4.1.0", "4.1.0.1", "4.1.x", "4.1.0-", "4.99999.1", "4.1.0\n", "4..0", null])(
    "%j is none",
    (raw) => {
      expect(toVersion(raw)).toBeNull();
    },
  );

  it.skipIf(!HAS_RECORDED)("of every node of a live cluster is well-formed", () => {
    const nodes = JSON.parse(readFileSync(new URL("rpc/testnet-gossip.json", RECORDED), "utf8")) as {
      version?: string;
    }[];
    const versions = nodes.flatMap(({ version }) => version ?? []);
    expect(versions.length).toBeGreaterThan(500);
    expect(versions.filter((version) => toVersion(version) !== version)).toEqual([]);
  });
});

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

describe("what was made of a text", () => {
  const count = () => {
    const asked: (string | null)[] = [];
    const make = remember((raw: string | null) => {
      asked.push(raw);
      return raw === "" ? null : raw;
    });
    return { asked, make };
  };

  it("is not made again, also where it is nothing", () => {
    const { asked, make } = count();
    expect(["a", "", null, "a", "", null].map(make)).toEqual(["a", null, null, "a", null, null]);
    expect(asked).toEqual(["a", "", null]);
  });

  it("is forgotten rather than kept without bound, and then made again", () => {
    const { asked, make } = count();
    for (let index = 0; index < 10_000; index += 1) make(`stranger ${index}`);
    expect(make("stranger 0")).toBe("stranger 0");
    expect(asked).toHaveLength(10_001);
  });
});
