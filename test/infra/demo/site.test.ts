import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { buildSite } from "../../../infra/demo/demo.ts";
import { makeDirectory } from "../../store/directory.ts";

const removers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(removers.splice(0).map((remove) => remove()));
});

async function makePlace(): Promise<string> {
  const { directory, remove } = await makeDirectory();
  removers.push(remove);
  return directory;
}

describe("the site of the demo", () => {
  it("is built into the directory asked for, without a style or script in its page", async () => {
    const directory = join(await makePlace(), "site");
    const said: string[] = [];
    const built = await buildSite({
      directory,
      signal: new AbortController().signal,
      say: (line) => void said.push(line),
    });
    expect({ built, said }).toEqual({ built: directory, said: ["The site is being built."] });
    const page = await readFile(join(directory, "index.html"), "utf8");
    expect(page).toMatch(/<script type="module"[^>]* src="\/assets\/index-[\w-]{8}\.js">/);
    expect(page).not.toMatch(/<style|style=|<script(?![^>]*src=)/);
  });

  it("is left out, and why is said, where it cannot be built", async () => {
    const file = join(await makePlace(), "file");
    await writeFile(file, "");
    const said: string[] = [];
    const built = await buildSite({
      directory: join(file, "site"),
      signal: new AbortController().signal,
      say: (line) => void said.push(line),
    });
    expect(built).toBeNull();
    expect(said.at(-1)).toMatch(/^The site is not shown: .*ENOTDIR/s);
  });

  it("is not waited for by a demo that was stopped", async () => {
    const stopped = AbortSignal.abort(new Error("stopped by SIGINT"));
    const directory = join(await makePlace(), "site");
    await expect(buildSite({ directory, signal: stopped, say: () => undefined })).rejects.toThrow();
  });
});
