import { unpackLines } from "../../generator/journal/pack-lines.ts";
import { openFileStore } from "../../generator/store/files.ts";

const LINE_BYTES_MAX = 64 * 1024 * 1024;

const store = openFileStore(process.argv[2] ?? "");
let lines = 0;
let packs = 0;
for await (const { key } of store.list("journal/")) {
  if (!key.includes("/pack-")) continue;
  const object = await store.get(key);
  if (object === null) throw new Error(`${key} is gone`);
  packs += 1;
  for await (const line of unpackLines(object.body, { lineBytesMax: LINE_BYTES_MAX })) {
    JSON.parse(new TextDecoder().decode(line));
    lines += 1;
  }
}
// A pack begins with a header line.
process.stdout.write(`${lines - packs}\n`);
