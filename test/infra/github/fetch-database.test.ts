import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { makeDirectory } from "../../store/directory.ts";
import { ROOT } from "../_files.ts";

const SCRIPT = new URL("infra/github/fetch-database", ROOT).pathname;

/**
 * curl takes nothing but https: writes down what it was
 * asked for, gives the file beside it, or fails as on a 404.
 */
const CURL = `#!/usr/bin/env bash
here=$(dirname "$0")
echo "\${*: -1}" >>"$here/asked"
while [ "$1" != --output ]; do shift; done
cp "$here/body" "$2" || exit 22
`;

let directory = "";
beforeEach(async () => {
  const made = await makeDirectory();
  ({ directory } = made);
  await mkdir(join(directory, "bin"));
  await writeFile(join(directory, "bin/curl"), CURL, { mode: 0o755 });
  return made.remove;
});

const serve = (body: Uint8Array | string) => writeFile(join(directory, "bin/body"), body);
const asked = () => readFile(join(directory, "bin/asked"), "utf8").catch(() => "");
const kept = () => readFile(join(directory, "geo/city.mmdb"), "utf8");

async function fetchDatabase(address: string): Promise<number | null> {
  const path = [join(directory, "bin"), process.env["PATH"]].join(delimiter);
  const child = spawn(SCRIPT, [address, join(directory, "geo/city.mmdb")], {
    env: { PATH: path },
    stdio: "ignore",
  });
  const [status] = (await once(child, "exit")) as [number | null];
  return status;
}

describe("a database of places", () => {
  it.each([
    ["is downloaded", "city.mmdb", "places"],
    ["is unpacked", "city.mmdb.gz", gzipSync("places")],
  ])("%s", async (_, name, body) => {
    await serve(body);
    expect(await fetchDatabase(`https://geo.example/${name}`)).toBe(0);
    expect(await kept()).toBe("places");
  });

  it("is that of the month", async () => {
    await serve("places");
    const before = new Date().toISOString().slice(0, 7);
    await fetchDatabase("https://geo.example/city-%Y-%m.mmdb");
    const months = [before, new Date().toISOString().slice(0, 7)];
    expect(months.map((month) => `https://geo.example/city-${month}.mmdb\n`)).toContain(
      await asked(),
    );
  });

  it("is not downloaded again", async () => {
    await serve("places");
    await fetchDatabase("https://geo.example/city.mmdb");
    await serve("others");
    expect(await fetchDatabase("https://geo.example/city.mmdb")).toBe(0);
    expect([await kept(), await asked()]).toEqual(["places", "https://geo.example/city.mmdb\n"]);
  });

  it("is none where no address is given", async () => {
    expect(await fetchDatabase("")).toBe(0);
    expect(await asked()).toBe("");
  });

  it.each([
    ["cannot be had", "https://geo.example/city.mmdb", null],
    ["is not what its name says", "https://geo.example/city.mmdb.gz", "no gzip"],
  ])("leaves nothing behind where it %s", async (_, address, body) => {
    if (body !== null) await serve(body);
    expect(await fetchDatabase(address)).not.toBe(0);
    expect(await readdir(join(directory, "geo"))).toEqual([]);
  });
});
