import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPresent } from "../../required.ts";

const HOUSE = join(import.meta.dirname, "../../..");
const SOURCE = join(HOUSE, "infra/systemd");
const units = readdirSync(SOURCE).filter((name) => !name.endsWith(".example"));
/** Of 100. The rest: network access, which all need, and code generated at run time. */
const EXPOSURE_MAX = 20;

const analyze = (args: string[]) => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  return { status, output: stdout + stderr };
};
const hasSystemd = isPresent(
  "systemd-analyze",
  analyze(["security", "--help"]).output.includes("--offline"),
);

describe.skipIf(!hasSystemd)("systemd's own tool", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "rugwatch-units-"));
    // Programs are looked up: ours are in this checkout.
    for (const unit of units) {
      const text = readFileSync(join(SOURCE, unit), "utf8").replaceAll("/srv/rugwatch", HOUSE);
      writeFileSync(
        join(directory, unit),
        text.replaceAll("/opt/rugwatch-node/bin/node", process.execPath),
      );
    }
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it("understands every line of the units", () => {
    const files = units.map((unit) => join(directory, unit));
    expect(analyze(["verify", "--man=no", ...files])).toEqual({ status: 0, output: "" });
  });

  it.each(units.filter((unit) => unit.endsWith(".service")))("finds %s hardly exposed", (unit) => {
    const options = ["security", "--offline=true", `--threshold=${EXPOSURE_MAX}`, "--no-pager"];
    const { status, output } = analyze([...options, join(directory, unit)]);
    expect([status, output]).toEqual([0, expect.stringMatching(/Overall exposure level .* OK/)]);
  });
});
