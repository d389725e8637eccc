import { randomUUID } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { link, open, rename, stat, unlink, type FileHandle } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { makeDirectories, syncDirectory } from "./directories.ts";
import { listFiles } from "./files-list.ts";
import { assertKey, assertPrefix, TEMPORARY_PREFIX } from "./keys.ts";
import { StoreError, type ObjectStore, type PutOptions, type StoredObject } from "./store.ts";
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
    get: (key) => run("get", key, (path) => readIfPresent(path, (file, stats) => readObject(key, file, stats))),
    getIfChanged: (key, knownEtag) =>
      run("get", key, async (path) => {
        if (knownEtag !== null && (await isUnchanged(path, knownEtag))) return "unchanged";
        return readIfPresent(path, (file, stats) => readObject(key, file, stats));
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
 * The file's data is flushed before it gets its name, so that after a power cut a name never shows half an object.
 *
 * What is created only (entries, packs, checkpoints) also has its name flushed before the put is answered, also where it was
 * there already: an observation that was acknowledged is not lost. That is one put a minute. What is overwritten does not:
 * documents are many (2,000 of them took 0.9 s with it and 0.65 s without, on ext4), and one that is missing or older than
 * the manifest says is found by its ETag and put again.
 */
async function writeWhole(
  path: string,
  body: Uint8Array,
  expect: PutOptions["expect"],
): Promise<{ etag: string } | null> {
  const temporary = join(dirname(path), TEMPORARY_PREFIX + randomUUID());
  const etag = await writeTemporary(temporary, body);
  try {
    if (expect === "any") {
      await replace(temporary, path);
      return { etag };
    }
    const created = await linkIfAbsent(temporary, path);
    await unlink(temporary);
    await syncDirectory(dirname(path));
    return created ? { etag } : null;
  } catch (error) {
    await removeQuietly(temporary);
    throw error;
  }
}

async function writeTemporary(path: string, body: Uint8Array): Promise<string> {
  const file = await openNew(path);
  try {
    return await writeAndClose(file, body);
  } catch (error) {
    await removeQuietly(path);
    throw error;
  }
}

/** Some network file systems say only when a file is closed that it has no room. */
async function writeAndClose(file: FileHandle, body: Uint8Array): Promise<string> {
  try {
    await file.writeFile(body);
    await file.sync();
    return toEtag(await file.stat({ bigint: true }));
  } finally {
    await file.close();
  }
}

/** The failure that led here is the one to tell; that this fails too is its consequence. */
async function removeQuietly(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}

async function openNew(path: string): Promise<FileHandle> {
  const file = await ifPresent(open(path, "wx"));
  if (file !== null) return file;
  try {
    await makeDirectories(dirname(path));
    return await open(path, "wx");
  } catch (error) {
    if (!hasCode(error, "ENOTDIR")) throw error;
    throw new Error("an object lies where this key needs a directory", { cause: error });
  }
}

async function replace(temporary: string, path: string): Promise<void> {
  try {
    await rename(temporary, path);
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

/** What `read` makes of an open file: its name may be another file's before it is read, and this one stays what it is. */
async function readIfPresent<Result>(
  path: string,
  read: (file: FileHandle, stats: BigIntStats) => Promise<Result>,
): Promise<Result | null> {
  const file = await ifPresent(open(path, constants.O_RDONLY));
  if (file === null) return null;
  try {
    const stats = await file.stat({ bigint: true });
    return stats.isFile() ? await read(file, stats) : null;
  } finally {
    await file.close();
  }
}

/** By its name alone: a proxy asks so for a thousand documents every 15 s, and to open and close a file are two ways to the disk more. */
async function isUnchanged(path: string, knownEtag: string): Promise<boolean> {
  const stats = await ifPresent(stat(path, { bigint: true }));
  return stats?.isFile() === true && toEtag(stats) === knownEtag;
}

async function readObject(key: string, file: FileHandle, stats: BigIntStats): Promise<StoredObject> {
  const body = await file.readFile();
  return { key, etag: toEtag(stats), size: body.byteLength, body };
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
