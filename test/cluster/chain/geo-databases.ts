import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ipaddr from "ipaddr.js";
import { SITES, toIpv4Network, toIpv6Network, type Site } from "./nodes.ts";

const BUILT_AT_SECONDS = 1_780_000_000;

/** With GeoLite2's fields. Returns the files' paths. */
export async function writeGeoDatabases(directory: string): Promise<{ city: string; asn: string }> {
  await mkdir(directory, { recursive: true });
  const city = join(directory, "simulated-city.mmdb");
  const asn = join(directory, "simulated-asn.mmdb");
  await writeWhole(city, toDatabase("GeoLite2-City", toCityValue));
  await writeWhole(asn, toDatabase("GeoLite2-ASN", toAsnValue));
  return { city, asn };
}

function toDatabase(databaseType: string, toValue: (site: Site) => MmdbValue | null): Buffer {
  const networks = SITES.flatMap((site, index) => {
    const value = toValue(site);
    if (value === null) return [];
    return [toIpv4Network(index), toIpv6Network(index)].map((network) => ({
      ...toBits(network),
      value,
    }));
  });
  return writeMmdb({
    databaseType,
    description: "Places of a simulated cluster",
    buildEpochSeconds: BUILT_AT_SECONDS,
    networks,
  });
}

function toCityValue({ country, city }: Site): MmdbValue | null {
  if (country === null) return null;
  const located = { country: { iso_code: country.code, names: { en: country.name } } };
  return city === null ? located : { ...located, city: { names: { en: city } } };
}

function toAsnValue({ asn, organization }: Site): MmdbValue {
  return { autonomous_system_number: asn, autonomous_system_organization: organization };
}

/** As 128 bits: IPv4 lies below `::/96`. */
function toBits(network: string): { address: Uint8Array; bits: number } {
  const [address, bits] = ipaddr.parseCIDR(network);
  const bytes = address.toByteArray();
  const padding = 16 - bytes.length;
  return {
    address: Uint8Array.from([...new Array<number>(padding).fill(0), ...bytes]),
    bits: bits + padding * 8,
  };
}

/** Renames, so that nobody reads a part. */
async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.writing`;
  await writeFile(temporary, bytes);
  await rename(temporary, path);
}

export type MmdbValue =
  string | number | readonly MmdbValue[] | { readonly [key: string]: MmdbValue };

interface MmdbFacts {
  /** Readers go by it. */
  databaseType: string;
  description: string;
  buildEpochSeconds: number;
  /** 16 bytes, IPv4 below `::/96`; `bits` of 128. */
  networks: readonly { address: Uint8Array; bits: number; value: MmdbValue }[];
}

/** Numbers above 7 are written as extended. */
const TYPES = { string: 2, u16: 5, u32: 6, map: 7, u64: 9, array: 11 } as const;

const EXTENDED_FROM = 8;
const RECORD_BITS = 24;
const DATA_SEPARATOR_BYTES = 16;
const METADATA_MARKER = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");

interface TreeNode {
  records: [Branch, Branch];
}
type Branch = TreeNode | { dataOffset: number } | null;

/**
 * https://maxmind.github.io/MaxMind-DB/
 * @throws {RangeError} when networks overlap
 */
export function writeMmdb({
  databaseType,
  description,
  buildEpochSeconds,
  networks,
}: MmdbFacts): Buffer {
  const root: TreeNode = { records: [null, null] };
  const values: Buffer[] = [];
  let dataBytes = 0;
  for (const { address, bits, value } of networks) {
    insert(root, address, bits, { dataOffset: dataBytes });
    const encoded = encode(value);
    values.push(encoded);
    dataBytes += encoded.length;
  }
  const nodes = listNodes(root);
  const metadata = Buffer.concat([
    encodeHead("map", 9),
    encode("binary_format_major_version"),
    encodeWhole("u16", 2),
    encode("binary_format_minor_version"),
    encodeWhole("u16", 0),
    encode("build_epoch"),
    encodeWhole("u64", buildEpochSeconds),
    encode("database_type"),
    encode(databaseType),
    encode("description"),
    encode({ en: description }),
    encode("ip_version"),
    encodeWhole("u16", 6),
    encode("languages"),
    encode(["en"]),
    encode("node_count"),
    encodeWhole("u32", nodes.length),
    encode("record_size"),
    encodeWhole("u16", RECORD_BITS),
  ]);
  return Buffer.concat([
    encodeTree(nodes),
    Buffer.alloc(DATA_SEPARATOR_BYTES),
    ...values,
    METADATA_MARKER,
    metadata,
  ]);
}

function insert(
  root: TreeNode,
  address: Uint8Array,
  bits: number,
  leaf: { dataOffset: number },
): void {
  let node = root;
  for (let depth = 0; depth < bits - 1; depth++) {
    const side = bitAt(address, depth);
    const next = node.records[side];
    if (next !== null && "dataOffset" in next) throw new RangeError("Networks overlap");
    const inner: TreeNode = next ?? { records: [null, null] };
    node.records[side] = inner;
    node = inner;
  }
  const side = bitAt(address, bits - 1);
  if (node.records[side] !== null) throw new RangeError("Networks overlap");
  node.records[side] = leaf;
}

function bitAt(address: Uint8Array, depth: number): 0 | 1 {
  return (((address[depth >> 3] ?? 0) >> (7 - (depth & 7))) & 1) === 1 ? 1 : 0;
}

/** A node's number is its place. */
function listNodes(root: TreeNode): TreeNode[] {
  const nodes = [root];
  for (const node of nodes) {
    for (const branch of node.records)
      if (branch !== null && "records" in branch) nodes.push(branch);
  }
  return nodes;
}

/** A node's number, the node count (nothing), or beyond it a value's offset. */
function encodeTree(nodes: readonly TreeNode[]): Buffer {
  const numbers = new Map(nodes.map((node, number) => [node, number]));
  const bytes = RECORD_BITS / 8;
  const tree = Buffer.alloc(nodes.length * 2 * bytes);
  let offset = 0;
  for (const { records } of nodes) {
    for (const branch of records) offset = tree.writeUIntBE(toRecord(branch), offset, bytes);
  }
  return tree;

  function toRecord(branch: Branch): number {
    if (branch === null) return nodes.length;
    if ("dataOffset" in branch) return nodes.length + DATA_SEPARATOR_BYTES + branch.dataOffset;
    return numbers.get(branch) ?? nodes.length;
  }
}

function encode(value: MmdbValue): Buffer {
  if (typeof value === "number") return encodeWhole("u32", value);
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([encodeHead("string", text.length), text]);
  }
  if (isList(value))
    return Buffer.concat([encodeHead("array", value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    encodeHead("map", entries.length),
    ...entries.flatMap(([key, member]) => [encode(key), encode(member)]),
  ]);
}

function isList(value: MmdbValue): value is readonly MmdbValue[] {
  return Array.isArray(value);
}

function encodeWhole(type: "u16" | "u32" | "u64", value: number): Buffer {
  const hex = value === 0 ? "" : value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([encodeHead(type, bytes.length), bytes]);
}

function encodeHead(type: keyof typeof TYPES, size: number): Buffer {
  const number = TYPES[type];
  if (size >= 65_821) throw new RangeError(`A ${type} of ${size} is too large`);
  const [inline, rest] =
    size < 29
      ? [size, []]
      : size < 285
        ? [29, [size - 29]]
        : [30, [(size - 285) >> 8, (size - 285) & 255]];
  const control =
    number < EXTENDED_FROM ? [(number << 5) | inline] : [inline, number - EXTENDED_FROM + 1];
  return Buffer.from([...control, ...rest]);
}
