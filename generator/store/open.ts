import { openFileStore } from "./files.ts";
import { openHttpsStore } from "./https.ts";
import { openMemoryStore } from "./memory.ts";
import { openS3Store } from "./s3.ts";
import type { ObjectStore } from "./store.ts";

/**
 * Opens the store of an address: `file:DIR`, `s3://BUCKET/PREFIX`, `https://HOST/PATH` (read only)
 * or `memory:`. Does no I/O.
 * @throws {Error} that never shows the address, which may hold a secret
 */
export function openStore(url: string): ObjectStore {
  if (url === "memory:") return openMemoryStore();
  if (url.startsWith("file:")) {
    const directory = url.slice("file:".length);
    if (directory === "") throw new Error("A file store needs a directory: file:DIR.");
    return openFileStore(directory);
  }
  if (url.startsWith("s3:")) return openS3Store(url);
  if (/^https?:/.test(url)) return openHttpsStore(url);
  const scheme = /^[a-z][a-z0-9]*:/i.exec(url)?.[0];
  throw new Error(
    `${scheme === undefined ? "A store without a scheme" : `A store of the kind ${scheme}`} is not supported. Supported: file:DIR, s3://BUCKET/PREFIX and memory:.`,
  );
}
