import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDirectory } from "../store/directory.ts";
import { read, ROOT } from "./_files.ts";

const NAMES = [...read("infra/node/SHA256SUMS").matchAll(/^[0-9a-f]{64} {2}(\S+)$/gm)].map(
  ([, name]) => name,
);
const version = /node:(\S+)-bookworm-slim@/.exec(read("infra/Dockerfile"))?.[1] ?? "";

/** Installs what a made-up curl brings; `forged`: other bytes than the checksum is of. */
async function install({ forged = false } = {}) {
  const { directory, remove } = await makeDirectory();
  onTestFinished(remove);
  const at = (path: string) => join(directory, path);
  mkdirSync(at("made/node/bin"), { recursive: true });
  writeFileSync(at("made/node/bin/node"), "#!/bin/sh\necho v24.0.0-test\n");
  chmodSync(at("made/node/bin/node"), 0o755);
  spawnSync("tar", [
    "--create",
    "--xz",
    "--file",
    at("archive"),
    "--directory",
    at("made"),
    "node",
  ]);
  cpSync(fileURLToPath(new URL("infra/node", ROOT)), at("source"), { recursive: true });
  const sum = createHash("sha256")
    .update(readFileSync(at("archive")))
    .digest("hex");
  const sums = ["x64", "arm64"].map((one) => `${sum}  node-v24.0.0-linux-${one}.tar.xz\n`);
  writeFileSync(at("source/SHA256SUMS"), sums.join(""));
  if (forged) writeFileSync(at("archive"), "another program");
  mkdirSync(at("bin"));
  writeFileSync(
    at("bin/curl"),
    `#!/bin/bash\nwhile [ "$1" != --output ]; do shift; done\ncp ${at("archive")} "$2"\n`,
  );
  chmodSync(at("bin/curl"), 0o755);
  const { status, stdout } = spawnSync(at("source/install-node"), [at("node")], {
    encoding: "utf8",
    env: { PATH: `${at("bin")}:${process.env["PATH"] ?? ""}` },
  });
  return { status, stdout, isInstalled: existsSync(at("node/bin/node")) };
}

describe("the Node of production", () => {
  it("is of one version in image and units, that of .nvmrc, with a checksum for each architecture", () => {
    expect(version.split(".")[0]).toBe(read(".nvmrc").trim());
    expect(NAMES).toEqual(["arm64", "x64"].map((one) => `node-v${version}-linux-${one}.tar.xz`));
  });

  it("is installed when its checksum is right", async () => {
    expect(await install()).toEqual({ status: 0, stdout: "v24.0.0-test\n", isInstalled: true });
  });

  it("is not when it is another program", async () => {
    expect(await install({ forged: true })).toMatchObject({ status: 1, isInstalled: false });
  });

  it("is started by every unit, and no package's script runs where production is installed", () => {
    for (const name of ["generator", "proxy", "verify"]) {
      const unit = read(`infra/systemd/rugwatch-${name}.service`);
      expect(unit).toMatch(/^ExecStart=\/opt\/rugwatch-node\/bin\/node /m);
    }
    const files = [
      "infra/Dockerfile",
      "infra/AWS.md",
      "infra/SYSTEMD.md",
      ".github/workflows/generate.yml",
      ".github/workflows/deploy.yml",
    ];
    const installs = files.flatMap((file) => read(file).match(/npm ci\b.*/g) ?? []);
    expect(installs.length).toBeGreaterThan(5);
    expect(installs.filter((line) => !line.includes("--ignore-scripts"))).toEqual([]);
  });

  it("is what the guides ask for: without scripts no package brings a newer one", () => {
    const guides = ["AWS", "R2", "SYSTEMD"].map((name) => read(`infra/${name}.md`));
    const asked = guides.flatMap((guide) => guide.match(/\bNode \d+\+?/g) ?? []);
    expect([...new Set(asked)]).toEqual([`Node ${read(".nvmrc").trim()}`]);
  });
});
