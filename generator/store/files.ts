import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { link, mkdir, open, rename, stat, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { listFiles } from "./files-list.ts";
import { assertKey, assertPrefix, TEMPORARY_PREFIX } from "./keys.ts";
import { StoreError, type ObjectStore, type PutOptions } from "./store.ts";
import { hasCode, ifPresent } from "./system-errors.ts";

/**
 * A directory as a store: an object is a file, its key the path. A file appears whole or not at all, also between
 * processes: it is written under a temporary name beside its place and then moved there. Content type and cache control are
 * not kept: who serves the files knows them from the table in contract/.
 *
 * Unlike in a bucket, `a` and `a/b` cannot both be keys: the second put of the two throws.
 *
 * @param directory absolute, or relative to the working directory; made with the first put.
 */
export function openFileStore(directory: string): ObjectStore {
  const name = `file:${directory}`;
  const root = resolve(directory);

  async function run<Result>(operation: string, key: string, work: (path: string) => Promise<Result>): Promise<Result> {
    assertKey(name, operation, key);
    try {
      return await work(join(root, key));
    } catch (cause) {
      throw new StoreError(name, operation, key, cause);
    }
  }

  return {
    name,
    put: (key, body, { expect }) => run("put", key, (path) => writeWhole(path, body, expect)),
    get: (key) =>
      run("get", key, async (path) => {
        const file = await ifPresent(open(path, constants.O_RDONLY));
        return file === null ? null : readObject(key, file);
      }),
    head: (key) =>
      run("head", key, async (path) => {
        const stats = await ifPresent(stat(path, { bigint: true }));
        return stats?.isFile() ? { key, etag: toEtag(stats), size: Number(stats.size) } : null;
      }),
    async *list(prefix, { startAfter = "" } = {}) {
      assertPrefix(name, prefix);
      try {
        for await (const { key, stats } of listFiles({ root, prefix, startAfter })) {
          yield { key, etag: toEtag(stats), size: Number(stats.size) };
        }
      } catch (cause) {
        throw new StoreError(name, "list", prefix, cause);
      }
    },
    delete: (key) => run("delete", key, removeFile),
  };
}

/**
 * The file's data is flushed before it gets its name, so that after a power cut a name never shows half an object. The
 * directory is not flushed: the newest names may then be missing, which is as if the writer had died a moment earlier.
 */
async function writeWhole(
  path: string,
  body: Uint8Array,
  expect: PutOptions["expect"],
): Promise<{ etag: string } | null> {
  const temporary = join(dirname(path), TEMPORARY_PREFIX + randomUUID());
  try {
    const etag = await writeTemporary(temporary, body);
    const moved = await (expect === "any" ? replace(temporary, path) : linkIfAbsent(temporary, path));
    return moved ? { etag } : null;
  } finally {
    await ifPresent(unlink(temporary));
  }
}

async function writeTemporary(path: string, body: Uint8Array): Promise<string> {
  const file = await openNew(path);
  try {
    await file.writeFile(body);
    await file.sync();
    return toEtag(await file.stat({ bigint: true }));
  } finally {
    await file.close();
  }
}

async function openNew(path: string): Promise<FileHandle> {
  const file = await ifPresent(open(path, "wx"));
  if (file !== null) return file;
  try {
    await mkdir(dirname(path), { recursive: true });
  } catch (error) {
    if (!hasCode(error, "ENOTDIR", "EEXIST")) throw error;
    throw new Error("an object lies where this key needs a directory", { cause: error });
  }
  return open(path, "wx");
}

async function replace(temporary: string, path: string): Promise<true> {
  try {
    await rename(temporary, path);
    return true;
  } catch (error) {
    throw hasCode(error, "EISDIR") ? belowKey(error) : error;
  }
}

/** A hard link fails when the name is taken, atomically; renaming would replace what is there. */
async function linkIfAbsent(temporary: string, path: string): Promise<boolean> {
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    const taken = await ifPresent(stat(path));
    if (taken?.isDirectory()) throw belowKey(error);
    return false;
  }
}

function belowKey(cause: unknown): Error {
  return new Error("other objects lie below this key", { cause });
}

async function readObject(key: string, file: FileHandle) {
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return null;
    const body = await file.readFile();
    return { key, etag: toEtag(stats), size: body.byteLength, body };
  } finally {
    await file.close();
  }
}

/** A directory is no object: to delete what is only the beginning of keys is to delete nothing. */
async function removeFile(path: string): Promise<void> {
  const stats = await ifPresent(stat(path));
  if (stats?.isFile()) await ifPresent(unlink(path));
}

/** From what the directory knows, so that a listing reads no file. The inode tells apart writes of the same instant. */
function toEtag({ size, mtimeNs, ino }: BigIntStats): string {
  return `"${size.toString(36)}-${mtimeNs.toString(36)}-${ino.toString(36)}"`;
}
