import { link, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Stage } from "../../service/harness.ts";

/**
 * Remembers what lies in the stores of a stage now; gives what puts it back, so that each test begins there. A link is the same
 * file, with the same ETag; a store never writes to one, but puts another in its place.
 */
export async function keepStores({ command: { settings } }: Stage): Promise<() => Promise<void>> {
  const folders = [settings.publicStore, settings.stateStore].map((url) => url.replace("file:", ""));
  for (const folder of folders) await linkAll(folder, `${folder}.kept`);
  return async () => {
    for (const folder of folders) {
      await rm(folder, { recursive: true, force: true });
      await linkAll(`${folder}.kept`, folder);
    }
  };
}

async function linkAll(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(to, entry.parentPath.slice(from.length), entry.name);
    await mkdir(dirname(path), { recursive: true });
    await link(join(entry.parentPath, entry.name), path);
  }
}
