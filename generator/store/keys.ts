import { StoreError } from "./store.ts";

/** Longest key that S3 allows. */
const KEY_BYTES_MAX = 1024;

/** Longest file name that common file systems allow. */
const SEGMENT_BYTES_MAX = 255;

/** Beginning of temporary file names. They are never listed, so no part of a key may begin so. */
export const TEMPORARY_PREFIX = ".tmp-";

/**
 * Checks a key. Only printable ASCII is allowed: then the order of JavaScript strings is the byte
 * order of a listing, and no file system normalises two keys into one.
 * @throws {StoreError} when the key is invalid
 */
export function assertKey(store: string, operation: string, key: string): void {
  const fault = key.length > KEY_BYTES_MAX ? `longer than ${KEY_BYTES_MAX} bytes` : findFault(key);
  if (fault !== null)
    throw new StoreError(store, operation, JSON.stringify(key), `the key is invalid: ${fault}`);
}

/**
 * Checks the prefix of a listing, which must not reach outside of the store.
 * @throws {StoreError} when the prefix is invalid
 */
export function assertPrefix(store: string, prefix: string): void {
  const slash = prefix.lastIndexOf("/");
  const fault = slash === -1 ? null : findFault(prefix.slice(0, slash));
  if (fault !== null)
    throw new StoreError(store, "list", JSON.stringify(prefix), `the prefix is invalid: ${fault}`);
}

/**
 * Whether a text is a valid key: 1 to 1,024 characters of printable ASCII without backslashes, in
 * parts of 1 to 255 between slashes, none of them `.`, `..` or temporary.
 */
export function isKey(key: string): boolean {
  return key.length <= KEY_BYTES_MAX && findFault(key) === null;
}

function findFault(key: string): string | null {
  if (!/^[\x20-\x7e]*$/.test(key)) return "not printable ASCII";
  if (key.includes("\\")) return "has a backslash";
  for (const segment of key.split("/")) {
    if (segment === "") return "has an empty part";
    if (segment === "." || segment === "..") return `has the part "${segment}"`;
    if (segment.startsWith(TEMPORARY_PREFIX))
      return `has a part that begins with "${TEMPORARY_PREFIX}"`;
    if (segment.length > SEGMENT_BYTES_MAX)
      return `has a part longer than ${SEGMENT_BYTES_MAX} bytes`;
  }
  return null;
}
