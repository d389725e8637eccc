import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildSite } from "../../../infra/demo/site.ts";
import { makeDirectory } from "../../store/directory.ts";

describe("the site of the demo", () => {
  async function build(below: string, signal = new AbortController().signal) {
    const { directory: place, remove } = await makeDirectory();
    onTestFinished(remove);
    await writeFile(join(place, "file"), "");
    const directory = join(place, below);
    const said: string[] = [];
    const built = await buildSite({ directory, signal, say: (line) => void said.push(line) });
    return { directory, built, said };
  }

  it("is built into the directory asked for, without a style or script in its page", async () => {
    const { directory, built, said } = await build("site");
    expect({ built, said }).toEqual({ built: directory, said: ["Building the site."] });
    const page = await readFile(join(directory, "index.html"), "utf8");
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-[\w-]{8}\.js">/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it("is left out, and why is said, where it cannot be built", async () => {
    const { built, said } = await build("file/site");
    expect(built).toBeNull();
    expect(said.at(-1)).toMatch(
      /^The demo runs without the site, because the build failed: .*ENOTDIR/s,
    );
  });

  it("is not waited for by a demo that was stopped", async () => {
    const stopped = AbortSignal.abort(new Error("stopped by SIGINT"));
    const { built, said } = await build("site", stopped);
    expect({ built, said }).toEqual({ built: null, said: ["Building the site."] });
  });
});
