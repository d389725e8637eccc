import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { toVersion } from "../../generator/ledger/identities.ts";
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
