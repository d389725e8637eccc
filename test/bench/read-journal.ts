import { unpackLines } from "../../generator/journal/pack-lines.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { decompress } from "../../generator/store/zstd.ts";

const BYTES_MAX = 64 * 1024 * 1024;

const store = openFileStore(process.argv[2] ?? "");
let entries = 0;
let packed = "";
for await (const { key } of store.list("packs/")) {
  packed = /-(\d{10})\./.exec(key)?.[1] ?? packed;
  // The first line is the header.
  entries -= 1;
  for await (const line of unpackLines(await read(key), { lineBytesMax: BYTES_MAX })) parse(line);
}
for await (const { key } of store.list("journal/")) {
  const name = /(\d{10})\.json\.zst$/.exec(key)?.[1] ?? "";
  // What a pack holds may still lie beside it.
  if (name > packed) parse(decompress(await read(key), { bytesMax: BYTES_MAX }));
}
process.stdout.write(`${entries}\n`);

async function read(key: string): Promise<Uint8Array> {
  const object = await store.get(key);
  if (object === null) throw new Error(`${key} is gone`);
  return object.body;
}

function parse(json: Uint8Array): void {
  JSON.parse(new TextDecoder().decode(json));
  entries += 1;
}
