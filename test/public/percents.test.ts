import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const PUBLIC = join(import.meta.dirname, "../../public");
const ROOMS = ["shell", "pages", "parts", "format"];
const COMMENT = /\/\*.*?\*\/|(?<=^|\s)\/\/.*?$/gms;

it("no number stands on another line than its sign", async () => {
  for (const room of ROOMS)
    for (const name of await readdir(join(PUBLIC, room), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue;
      const text = (await readFile(join(PUBLIC, room, name), "utf8")).replaceAll(COMMENT, "");
      expect(text.match(/\d %|\} %(?!\s*\w)/g) ?? [], name).toEqual([]);
    }
});
