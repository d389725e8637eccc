import { mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "./system-errors.ts";

/**
 * Makes a directory and those above it. Not the recursive `mkdir` of Node: below a directory such as `/proc`, which is there
 * while the system says ENOENT of whatever is made in it, that one goes up and down for ever.
 *
 * @throws {Error} the system's, such as EACCES, EROFS, or ENOTDIR where a part of the path is a file.
 */
export async function makeDirectories(path: string): Promise<void> {
  try {
    await makeDirectory(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(path) === path) throw error;
    await makeDirectories(dirname(path));
    await makeDirectory(path);
  }
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return;
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Flushes the names in a directory to the disk, where its file system can. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } catch (error) {
    // Some network file systems have no such thing; they keep names their own way.
    if (!hasCode(error, "EINVAL", "ENOTSUP")) throw error;
  } finally {
    await directory.close();
  }
}
