import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDirectory } from "../../store/directory.ts";
import { hasNginx } from "./_edge.ts";

const SOURCE = join(import.meta.dirname, "../../../infra/nginx");

const directivesOf = (name: string) =>
  readFileSync(join(SOURCE, name), "utf8").match(/^ssl_(?!certificate).*$/gm) ?? [];

describe("nginx under systemd", () => {
  it("speaks the same TLS as in compose", () => {
    expect(directivesOf("addresses.systemd.conf").length).toBeGreaterThan(4);
    expect(directivesOf("addresses.systemd.conf")).toEqual(directivesOf("addresses.tls.conf"));
  });

  it.skipIf(!hasNginx)("understands its configuration as the guide installs it", async () => {
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    const at = (name: string) => join(directory, name);
    cpSync(SOURCE, directory, { recursive: true });
    renameSync(at("addresses.systemd.conf"), at("addresses.conf"));
    const addresses = readFileSync(at("addresses.conf"), "utf8")
      .replaceAll("/run/credentials/rugwatch-nginx.service", directory)
      .replaceAll(/^(listen (?:\[::\]:)?)(80|443)/gm, "$110$2");
    writeFileSync(at("addresses.conf"), addresses);
    // Before an ACME client can bring the first certificate, nginx must run, which needs one.
    const guide = readFileSync(join(SOURCE, "../SYSTEMD.md"), "utf8");
    const lines = guide.match(/^(?:openssl|sed --in-place) .*$/gm) ?? [];
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      const here = line.replaceAll(/\/etc\/rugwatch(?:-nginx|\/tls)/g, directory);
      expect(spawnSync("bash", ["-c", here]).status).toBe(0);
    }
    const { status, stderr } = spawnSync(
      "nginx",
      ["-t", "-p", `${directory}/`, "-c", at("nginx.conf")],
      { encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, expect.stringContaining("test is successful")]);
  });
});
