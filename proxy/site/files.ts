import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** The files of a built site by the path they are asked for at, say `/assets/index-1a2b.js`. */
export type SiteFiles = ReadonlyMap<string, Uint8Array>;

export const INDEX_PATH = "/index.html";

/**
 * Reads a built site, once: a few hundred kilobytes. What is asked for later is looked up by its path and never opened, so
 * that no path leads out of the directory.
 *
 * @throws {Error} if there is no built site
 */
export async function readSiteFiles(directory: string): Promise<SiteFiles> {
  const files = new Map<string, Uint8Array>();
  for (const path of await list(directory)) {
    const name = `/${relative(directory, path).split(sep).join("/")}`;
    files.set(name, await readFile(path));
  }
  if (files.has(INDEX_PATH)) return files;
  throw new Error(
    `SITE_DIR is ${directory}, where there is no index.html: build the site (npm run build:site) or unset it.`,
  );
}

async function list(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return [];
    throw error;
  }
}
