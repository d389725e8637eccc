import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeDirectory } from "../../store/directory.ts";
import { findStep, findWorkflow } from "./workflows.ts";

const { on, jobs } = findWorkflow("release.yml");
const image = jobs["image"];
const [build] =
  image?.steps.filter(({ uses }) => uses.startsWith("docker/build-push-action@")) ?? [];

describe("the release", () => {
  it("is of a tag alone, after the tests of the same commit", () => {
    expect(on).toEqual({ push: { tags: ["v*"] } });
    expect(jobs["test"]?.uses).toBe("./.github/workflows/ci.yml");
    expect(image?.["needs"]).toBe("test");
  });

  it("publishes the image of infra/Dockerfile, with what is in it and how it was made beside it", () => {
    expect(build?.with).toEqual({
      context: ".",
      file: "infra/Dockerfile",
      push: true,
      tags: "${{ steps.names.outputs.tags }}",
      sbom: true,
      provenance: "mode=max",
      "no-cache": true,
    });
  });

  it("builds where attestations can be made, and logs in before it pushes", () => {
    const steps = image?.steps.flatMap(({ uses }) => /^docker\/([\w-]+)@/.exec(uses)?.[1] ?? []);
    expect(steps).toEqual(["setup-buildx-action", "login-action", "build-push-action"]);
  });
});

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
    const { status } = spawnSync("bash", ["-eo", "pipefail", "-c", findStep(image, "names").run], {
      env,
    });
    expect([status, await readFile(output, "utf8")]).toEqual([ended, names]);
  });
});
