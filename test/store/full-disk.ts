/**
 * Run where file systems may be mounted: fills one of a megabyte at the
 * path given, and prints as JSON what the store said and left behind.
 */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { openFileStore } from "../../generator/store/files.ts";

const [directory = ""] = process.argv.slice(2);
execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "none", directory]);
const store = openFileStore(directory);
const [small, large] = [new Uint8Array(10), new Uint8Array(2 * 1024 * 1024)];
await store.put("a/small.json", small, { expect: "any", contentType: "application/json" });
const said: string[] = [];
for (const expect of ["any", "absent"] as const) {
  await store
    .put(`a/large-${expect}.json`, large, { expect, contentType: "application/json" })
    .catch((error: unknown) => {
      said.push(String(error));
    });
}
process.stdout.write(JSON.stringify({ said, left: readdirSync(directory, { recursive: true }) }));
