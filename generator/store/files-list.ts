import type { BigIntStats, Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isKey } from "./keys.ts";
import { ifPresent } from "./system-errors.ts";

/** Files of one directory looked at together: enough to keep the disk busy, little enough to stay flat in memory. */
const STAT_BATCH = 64;

interface Listing {
  /** The directory that keys are relative to. */
  root: string;
  prefix: string;
  /** Leaves out every key up to and with this one. */
  startAfter: string;
}

interface ListedFile {
  key: string;
  stats: BigIntStats;
}

/**
 * Every file below the root whose path, as a key, begins with the prefix: in the byte order of the keys, one directory at a
 * time. What is not a regular file or has no valid key, such as an unfinished write, is left out; so is what vanishes
 * meanwhile.
 */
export function listFiles(listing: Listing): AsyncIterable<ListedFile> {
  return walk(listing, listing.prefix.slice(0, listing.prefix.lastIndexOf("/") + 1));
}

/** @param folder empty for the root, else it ends with a slash. */
async function* walk(listing: Listing, folder: string): AsyncIterable<ListedFile> {
  const children = (await readFolder(listing.root, folder)).filter((child) => mayHold(listing, child));
  for (let start = 0; start < children.length; start += STAT_BATCH) {
    const batch = children.slice(start, start + STAT_BATCH);
    const found = await Promise.all(batch.map((child) => lookAt(listing.root, child)));
    for (const child of found) {
      if (typeof child === "string") yield* walk(listing, child);
      else if (child !== null) yield child;
    }
  }
}

/** A folder's name ends with a slash: so `a.json` sorts before what lies in `a/`, as their keys do. */
async function readFolder(root: string, folder: string): Promise<string[]> {
  const children = await ifPresent(readdir(join(root, folder), { withFileTypes: true }));
  return (children ?? []).flatMap((child) => toChildKey(folder, child) ?? []).sort();
}

function toChildKey(folder: string, child: Dirent): string | null {
  const key = folder + child.name;
  if (!isKey(key)) return null;
  if (child.isDirectory()) return `${key}/`;
  return child.isFile() ? key : null;
}

function mayHold({ prefix, startAfter }: Listing, child: string): boolean {
  if (!child.endsWith("/")) return child.startsWith(prefix) && child > startAfter;
  if (!child.startsWith(prefix) && !prefix.startsWith(child)) return false;
  return child > startAfter || startAfter.startsWith(child);
}

/** A file with its stats, null when it is gone; a folder as it is. */
async function lookAt(root: string, child: string): Promise<ListedFile | string | null> {
  if (child.endsWith("/")) return child;
  const stats = await ifPresent(stat(join(root, child), { bigint: true }));
  return stats === null ? null : { key: child, stats };
}
