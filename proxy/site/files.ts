import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** The files of a built site by the path they are asked for at, say `/assets/index-1a2b.js`. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

export const INDEX_PATH = "/index.html";

/** Whether a built site lies in the directory, told at once for those who read settings. */
export function isBuiltSite(directory: string): boolean {
  return existsSync(join(directory, INDEX_PATH));
}

/**
 * Reads a built site, once: a few hundred kilobytes. What is asked for later is looked up by its path and never opened, so
 * that no path leads out of the directory.
 *
 * @throws {Error} naming the file that cannot be read
 */
export async function readSiteFiles(directory: string): Promise<SiteFiles> {
  const files = new Map<string, Uint8Array>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    files.set(`/${relative(directory, path).split(sep).join("/")}`, await read(path));
  }
  return files;
}

async function read(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`SITE_DIR: cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
}
