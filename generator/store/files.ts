import { readdirSync, statSync, type BigIntStats, type Dirent } from "node:fs";
import { open, stat, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { hasCode, ifPresent, toEtag, writeWhole } from "./disk.ts";
import { assertKey, assertPrefix, isKey } from "./keys.ts";
import {
  DamagedObjectError,
  StoreError,
  type ObjectHead,
  type ObjectStore,
  type StoredObject,
} from "./store.ts";

/**
 * Opens a store in a directory. It keeps neither content type nor cache control. Unlike in a
 * bucket, `a` and `a/b` cannot both be keys: the second put throws.
 */
export function openFileStore(directory: string): ObjectStore {
  const name = `file:${directory}`;
  const root = resolve(directory);

  async function run<Result>(
    operation: string,
    key: string,
    work: (path: string) => Promise<Result>,
  ): Promise<Result> {
    assertKey(name, operation, key);
    try {
      return await work(join(root, key));
    } catch (cause) {
      // A bad sector damages only this object.
      const isDamaged = operation === "get" && hasCode(cause, "EIO");
      throw new (isDamaged ? DamagedObjectError : StoreError)(name, operation, key, cause);
    }
  }

  return {
    name,
    put: (key, body, { expect }) => run("put", key, (path) => writeWhole(path, body, expect)),
    get: (key) => run("get", key, (path) => readObject(path, key)),
    getIfChanged: (key, knownEtag) =>
      run("get", key, async (path) => {
        // A proxy asks for a thousand documents every 15 s, so it must not read all of them.
        if (knownEtag !== null && (await headOf(path, key))?.etag === knownEtag) return "unchanged";
        return readObject(path, key);
      }),
    head: (key) => run("head", key, (path) => headOf(path, key)),
    async *list(prefix, { startAfter = "" } = {}) {
      assertPrefix(name, prefix);
      try {
        yield* walk({ root, prefix, startAfter }, prefix.slice(0, prefix.lastIndexOf("/") + 1));
      } catch (cause) {
        throw new StoreError(name, "list", prefix, cause);
      }
    },
    // A directory is not an object and stays.
    delete: (key) =>
      run("delete", key, async (path) => {
        if ((await headOf(path, key)) !== null) await ifPresent(unlink(path));
      }),
  };
}

async function headOf(path: string, key: string): Promise<ObjectHead | null> {
  const stats = await ifPresent(stat(path, { bigint: true }));
  return stats?.isFile() ? toHead(key, stats) : null;
}

/**
 * Reads a file and its metadata through one handle, because the name may be another file's a moment
 * later.
 */
async function readObject(path: string, key: string): Promise<StoredObject | null> {
  const file = await ifPresent(open(path, "r"));
  if (file === null) return null;
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return null;
    const body = await file.readFile();
    return { ...toHead(key, stats), body, modifiedAt: Number(stats.mtimeMs) };
  } finally {
    await file.close();
  }
}

function toHead(key: string, stats: BigIntStats): ObjectHead {
  return { key, etag: toEtag(stats), size: Number(stats.size) };
}

interface Listing {
  root: string;
  prefix: string;
  startAfter: string;
}

/**
 * Lists objects in the byte order of keys. It skips files that vanish meanwhile. It waits for the
 * disk itself: through the thread pool, thirty thousand files take over twice as long.
 * @param folder empty for the root, or ending with a slash
 */
async function* walk(listing: Listing, folder: string): AsyncIterable<ObjectHead> {
  const found = readFolder(join(listing.root, folder));
  const children = found.flatMap((child) => toChildKey(folder, child) ?? []).sort();
  const wanted = children.filter((child) => mayHold(listing, child));
  for (const child of wanted) {
    if (isFolder(child)) yield* walk(listing, child);
    else {
      const stats = statSync(join(listing.root, child), { bigint: true, throwIfNoEntry: false });
      if (stats?.isFile()) yield toHead(child, stats);
    }
  }
}

function readFolder(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  }
}

/**
 * Returns the key of a file or, with a slash, of a directory; then `a.json` sorts before what lies
 * in `a/`, as keys do. null: not part of the store.
 */
function toChildKey(folder: string, child: Dirent): string | null {
  const key = folder + child.name;
  if (!isKey(key)) return null;
  if (child.isDirectory()) return `${key}/`;
  return child.isFile() ? key : null;
}

function mayHold({ prefix, startAfter }: Listing, child: string): boolean {
  if (!isFolder(child)) return child.startsWith(prefix) && child > startAfter;
  if (!child.startsWith(prefix) && !prefix.startsWith(child)) return false;
  return child > startAfter || startAfter.startsWith(child);
}

function isFolder(child: string): boolean {
  return child.endsWith("/");
}
