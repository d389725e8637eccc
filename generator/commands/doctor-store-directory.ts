import { rmdir, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { hasCode } from "../store/system-errors.ts";

/** The directory of a `file:DIR` setting; null: the store is of another kind. */
export function toDirectory(storeUrl: string): string | null {
  return storeUrl.startsWith("file:") ? resolve(storeUrl.slice("file:".length)) : null;
}

/** Whether one directory is the other, or lies in it. */
export function isWithin(inner: string, outer: string): boolean {
  const way = relative(outer, inner);
  return way === "" || (way !== ".." && !way.startsWith("../"));
}

/** The directories that a first write would make, innermost first. */
export async function findMissingDirectories(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let path = directory; dirname(path) !== path && !(await exists(path)); path = dirname(path)) missing.push(path);
  return missing;
}

/** Removes those of the directories that are empty. */
export async function removeEmptyDirectories(directories: string[]): Promise<void> {
  for (const directory of directories) {
    try {
      await rmdir(directory);
    } catch (error) {
      // Somebody keeps something in it meanwhile, or it was never made.
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "ENOENT", "ENOTDIR", "EACCES")) throw error;
    }
  }
}

/** What cannot be looked at counts as there: whoever writes will be told why. */
async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return !hasCode(error, "ENOENT");
  }
}
