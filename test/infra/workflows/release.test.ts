import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { readContact } from "../../../public/vite-contact.config.ts";
import { makeDirectory } from "../../store/directory.ts";
import { findStep, findWorkflow } from "./workflows.ts";

const { jobs } = findWorkflow("release.yml");

describe("the image's names", () => {
  it.each([
    ["v1.3.0", 0, "tags=ghcr.io/somebody/rugwatch:1.3.0,ghcr.io/somebody/rugwatch:latest\n"],
    ["v1.3.0-rc.1", 0, "tags=ghcr.io/somebody/rugwatch:1.3.0-rc.1\n"],
    // No versions:
    ["v1.3", 1, ""],
    ["vlatest", 1, ""],
    ["v1.3.0,evil", 1, ""],
    ["v1.3.0$(id)", 1, ""],
  ])("of %s end the step with %i: %s", async (tag, ended, names) => {
    const { directory, remove } = await makeDirectory();
    onTestFinished(remove);
    const output = join(directory, "output");
    await writeFile(output, "");
    const env = {
      PATH: process.env["PATH"],
      GITHUB_OUTPUT: output,
      IMAGE: "ghcr.io/Somebody/Rugwatch",
      TAG: tag,
    };
    const { status } = spawnSync(
      "bash",
      ["-eo", "pipefail", "-c", findStep(jobs["image"], "names").run],
      { env },
    );
    expect([status, await readFile(output, "utf8")]).toEqual([ended, names]);
  });
});

// Its site is built with them (infra/Dockerfile), and not without (public/vite-contact.config.ts).
it("the image's build arguments say where an operator answers an accusation", () => {
  const build = jobs["image"]?.steps.find(({ uses }) =>
    uses.startsWith("docker/build-push-action@"),
  );
  const args = String(build?.with["build-args"])
    .replace("${{ github.server_url }}", "https://forge.example")
    .replace("${{ github.repository }}", "somebody/rugwatch");
  expect(readContact(parseEnv(args))).toEqual({
    repositoryUrl: "https://forge.example/somebody/rugwatch",
    contact: null,
  });
});
