import { rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "../../store/system-errors.ts";

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
