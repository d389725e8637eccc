import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CLIENTS } from "../../generator/contract/clients.ts";
import { toClientId, toVersion } from "../../generator/ledger/profile/identities.ts";
import { memoize } from "../../generator/ledger/memoize.ts";
import { HAS_RECORDED, OF_RECORDED, RECORDED } from "../observe/fixtures.ts";

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
    ...[
      "",
      "unknown",
      "4.1",
      "v4.1.0",
      "4.1.0.1",
      "4.1.x",
      "4.1.0-",
      "4.99999.1",
      "4.1.0\n",
      "4..0",
    ].map((raw): [string, null] => [raw, null]),
    [null, null],
  ])("%j reads %j", (raw, version) => {
    expect(toVersion(raw)).toBe(version);
  });

  it.skipIf(!HAS_RECORDED)(`of every node of a live cluster is well-formed${OF_RECORDED}`, () => {
    const text = readFileSync(new URL("rpc/testnet-gossip.json", RECORDED), "utf8");
    const versions = (JSON.parse(text) as { version?: string }[]).flatMap(
      ({ version }) => version ?? [],
    );
    expect(versions.length).toBeGreaterThan(500);
    expect(versions.filter((version) => toVersion(version) !== version)).toEqual([]);
  });
});

describe("a client id", () => {
  it("is found by each of the registry's names, which have the numbers 0 to 13", () => {
    expect(CLIENTS.map(({ name }) => toClientId(name))).toEqual(CLIENTS.map(({ id }) => id));
    expect(CLIENTS.map(({ id }) => id)).toEqual(Array.from({ length: 14 }, (_, id) => id));
  });

  it("is found by the names and numbers that nodes write, and by nothing like them", () => {
    const written = {
      SolanaLabs: 0,
      JitoLabs: 1,
      AgavePaladin: 4,
      AgaveBam: 6,
      FireBam: 12,
      "11": 11,
    };
    const unknown = { "Unknown(8)": 8, "Unknown(86)": 86, "Unknown(65535)": 65_535 };
    for (const [raw, id] of Object.entries({ ...written, ...unknown }))
      expect(toClientId(raw), raw).toBe(id);
    expect([3, 86].map(toClientId)).toEqual([3, 86]);
    const odd = [
      "Unknown(65536)",
      "Unknown(-1)",
      "Unknown()",
      "Unknown(8) ",
      "doublezero",
      "",
      "86 beers",
      "A".repeat(512),
    ];
    for (const raw of [...odd, -1, 2.5, 65_536, Number.NaN, null])
      expect(toClientId(raw), String(raw)).toBeNull();
  });
});

describe("what was made of a text", () => {
  const count = () => {
    const asked: (string | null)[] = [];
    const make = memoize((raw: string | null) => {
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
