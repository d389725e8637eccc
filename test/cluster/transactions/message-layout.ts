import { layOut, toCompact, toVector, u16, u32, u64, u8 } from "./layout.ts";

export type Version = "legacy" | 0 | 1;

interface MessageParts {
  /** Three counts: signers, read-only signers, read-only keys that do not sign. */
  header: Uint8Array;
  keys: readonly Uint8Array[];
  blockhash: Uint8Array;
  instructions: readonly PlacedInstruction[];
  /** Version 0. */
  lookups: readonly PlacedLookup[];
  /** Version 1. */
  config: TransactionConfig;
}

interface PlacedInstruction {
  program: number;
  accounts: Uint8Array;
  data: Uint8Array;
}

interface PlacedLookup {
  table: Uint8Array;
  writable: Uint8Array;
  readonly: Uint8Array;
}

/** Without the first two no program runs: 0 is what is not given. */
export interface TransactionConfig {
  computeUnitLimit?: number;
  loadedAccountsBytes?: number;
  priorityFeeLamports?: bigint;
  /** A multiple of 1,024, from 32 to 256 KiB. */
  heapBytes?: number;
}

/** No signature count reaches this bit. */
const VERSION_MARK = 0x80;

const PRIORITY_FEE = 0b11;
const COMPUTE_UNIT_LIMIT = 0b100;
const LOADED_ACCOUNTS_BYTES = 0b1000;
const HEAP_BYTES = 0b1_0000;

export function layOutMessage(version: Version, parts: MessageParts): Uint8Array {
  if (version === "legacy") return layOutSinceLegacy(parts);
  const mark = u8(VERSION_MARK | version);
  if (version === 1) return layOut(mark, layOutVersion1(parts));
  const tables = parts.lookups.map(({ table, writable, readonly }) =>
    layOut(table, withLength(writable), withLength(readonly)),
  );
  return layOut(mark, layOutSinceLegacy(parts), toVector(tables));
}

/** Before the message, counted; since version 1 after it. */
export function attachSignatures(
  { version, bytes }: { version: Version; bytes: Uint8Array },
  signatures: readonly Uint8Array[],
): Uint8Array {
  return version === 1 ? layOut(bytes, ...signatures) : layOut(toVector(signatures), bytes);
}

function layOutSinceLegacy({ header, keys, blockhash, instructions }: MessageParts): Uint8Array {
  const carriedOut = instructions.map(({ program, accounts, data }) =>
    layOut(u8(program), withLength(accounts), withLength(data)),
  );
  return layOut(header, toVector(keys), blockhash, toVector(carriedOut));
}

/** SIMD-0385. */
function layOutVersion1({
  header,
  keys,
  blockhash,
  instructions,
  config,
}: MessageParts): Uint8Array {
  const values = listValues(config);
  return layOut(
    header,
    u32(values.reduce((mask, [bits]) => mask | bits, 0)),
    blockhash,
    u8(instructions.length),
    u8(keys.length),
    ...keys,
    ...values.map(([, value]) => value),
    ...instructions.map(({ program, accounts, data }) =>
      layOut(u8(program), u8(accounts.length), u16(data.length)),
    ),
    ...instructions.map(({ accounts, data }) => layOut(accounts, data)),
  );
}

/** In the order of their bits. */
function listValues(config: TransactionConfig): [bits: number, value: Uint8Array][] {
  const {
    priorityFeeLamports: fee,
    computeUnitLimit: units,
    loadedAccountsBytes: loaded,
    heapBytes: heap,
  } = config;
  const all: [number, Uint8Array | null][] = [
    [PRIORITY_FEE, fee === undefined ? null : u64(fee)],
    [COMPUTE_UNIT_LIMIT, units === undefined ? null : u32(units)],
    [LOADED_ACCOUNTS_BYTES, loaded === undefined ? null : u32(loaded)],
    [HEAP_BYTES, heap === undefined ? null : u32(heap)],
  ];
  return all.flatMap(([bits, value]) => (value === null ? [] : [[bits, value]]));
}

function withLength(bytes: Uint8Array): Uint8Array {
  return layOut(toCompact(bytes.length), bytes);
}
