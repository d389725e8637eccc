import { readFile } from "node:fs/promises";
import { messageOf } from "../contract/error-message.ts";
import { basename } from "node:path";
import ipaddr from "ipaddr.js";
import { Reader, type Response } from "mmdb-lib";

interface Database {
  /**
   * @param ip IPv4 not mapped into IPv6
   * @throws {LocationError} when the file is damaged there
   */
  find(ip: string): unknown;
}

/** The message names setting and file. */
export class LocationError extends Error {
  override readonly name = "LocationError";
}

interface DatabaseOptions {
  variable: string;
  file: string;
  isUseful: (record: unknown) => boolean;
  holds: string;
}

const SEPARATOR_BYTES = 16;
const SAMPLES = 100;
const SAMPLED_NETWORKS_MAX = 20_000;

/** @throws {LocationError} when the file cannot be read, is damaged, or holds other data */
export async function openDatabase({
  variable,
  file,
  isUseful,
  holds,
}: DatabaseOptions): Promise<Database> {
  const fail = (reason: string, cause?: unknown) =>
    new LocationError(`${variable}: the location database ${file} ${reason}`, { cause });
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw fail(`cannot be read: ${messageOf(cause)}`, cause);
  });
  let reader: Reader<Response>;
  let records: unknown[];
  try {
    reader = new Reader<Response>(bytes);
    assertWhole(reader, bytes);
    records = sampleRecords(reader);
  } catch (cause) {
    throw fail(`is damaged, or not in MaxMind's format: ${messageOf(cause)}`, cause);
  }
  if (!records.some(isUseful))
    throw fail(`holds no ${holds}: its type is "${reader.metadata.databaseType}"`);

  return {
    find(ip) {
      if (reader.metadata.ipVersion === 4 && !ipaddr.IPv4.isValid(ip)) return null;
      try {
        return reader.get(ip);
      } catch (cause) {
        // Published with the status: leave out the directory.
        throw new LocationError(
          `${variable}: ${basename(file)} is damaged at ${ip}: ${messageOf(cause)}`,
          { cause },
        );
      }
    },
  };
}

/** A truncated file would answer with whatever bytes are there. */
function assertWhole({ metadata }: Reader<Response>, bytes: Buffer): void {
  const { searchTreeSize } = metadata;
  const separator = bytes.subarray(searchTreeSize, searchTreeSize + SEPARATOR_BYTES);
  if (separator.length < SEPARATOR_BYTES || separator.some((byte) => byte !== 0))
    throw new Error(`no records follow its search tree of ${metadata.nodeCount} nodes`);
}

function sampleRecords(reader: Reader<Response>): unknown[] {
  const bits = reader.metadata.ipVersion === 4 ? 32 : 128;
  const records: unknown[] = [];
  let address = 0n;
  for (let networks = 0; networks < SAMPLED_NETWORKS_MAX && records.length < SAMPLES; networks++) {
    const [record, prefixLength] = reader.getWithPrefixLength(toAddressText(address, bits));
    if (record !== null) records.push(record);
    const networkBits = BigInt(bits - prefixLength);
    address = ((address >> networkBits) + 1n) << networkBits;
    if (address >> BigInt(bits) > 0n) break;
  }
  return records;
}

function toAddressText(address: bigint, bits: number): string {
  const bytes = Buffer.from(address.toString(16).padStart(bits / 4, "0"), "hex");
  return ipaddr.fromByteArray([...bytes]).toString();
}
