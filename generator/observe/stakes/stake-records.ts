import { STAKE_STATES, type StakeState } from "../../contract/wallets.ts";
import { isKeyText, KEY_TEXT_BYTES_MAX } from "./key-text.ts";

/** Account's key as text, two keys as bytes, lamports, state. */
const KEY_TEXT = { at: 0, bytes: KEY_TEXT_BYTES_MAX } as const;
const WITHDRAWER_AT = 44;
const VOTER_AT = 76;
const LAMPORTS_AT = 108;
const STATE_AT = 116;
const RECORD_BYTES = 120;

/** A part of an answer wastes half a chunk on average. */
export const CHUNK_RECORDS = 1_024;

/** Three times mainnet's accounts: more is made up, and must not fill the memory. */
export const STAKE_RECORDS_MAX = 3_600_000;

interface Chunk {
  bytes: Buffer;
  count: number;
}

/** `bytes` are shared, so read at once. */
export interface StakeRecord {
  stakeAccount: string;
  bytes: Buffer;
  withdrawerAt: number;
  voterAt: number;
  lamports: bigint;
  state: StakeState;
}

/** Millions of stake accounts without an object each. */
export interface StakeRecords {
  /** false when another account still waits for its key. */
  addAccount(account: {
    data: Uint8Array;
    withdrawerAt: number;
    voterAt: number;
    state: number;
  }): boolean;
  /** false for no possible key, or when another waits for its account. */
  addKey(text: Uint8Array, start: number, end: number): boolean;
  isPaired(): boolean;
  append(part: StakeRecords): void;
  chunks(): readonly Chunk[];
  /** Over {@link STAKE_RECORDS_MAX} none is kept. */
  count(): number;
}

/** No records yet. They are kept in chunks of bytes. */
export function createStakeRecords(): StakeRecords {
  let chunks: Chunk[] = [];
  let count = 0;
  let hasAccount = false;
  let hasKey = false;

  function last(): Chunk {
    let chunk = chunks.at(-1);
    if (chunk === undefined || chunk.count === CHUNK_RECORDS) {
      chunk = { bytes: Buffer.alloc(CHUNK_RECORDS * RECORD_BYTES), count: 0 };
      chunks.push(chunk);
    }
    return chunk;
  }

  function complete(chunk: Chunk): void {
    if (!hasAccount || !hasKey) return;
    hasAccount = hasKey = false;
    chunk.count += 1;
    addCount(1);
  }

  function addCount(more: number): void {
    count += more;
    if (count > STAKE_RECORDS_MAX) chunks = [];
  }

  return {
    addAccount({ data, withdrawerAt, voterAt, state }) {
      if (hasAccount) return false;
      const chunk = last();
      const at = chunk.count * RECORD_BYTES;
      chunk.bytes.set(data.subarray(withdrawerAt, withdrawerAt + 32), at + WITHDRAWER_AT);
      // Voter and lamports are adjacent in both layouts.
      chunk.bytes.set(data.subarray(voterAt, voterAt + 40), at + VOTER_AT);
      chunk.bytes[at + STATE_AT] = state;
      hasAccount = true;
      complete(chunk);
      return true;
    },
    addKey(text, start, end) {
      if (hasKey || !isKeyText(text, start, end)) return false;
      const chunk = last();
      const at = chunk.count * RECORD_BYTES + KEY_TEXT.at;
      chunk.bytes.fill(0, at, at + KEY_TEXT.bytes);
      chunk.bytes.set(text.subarray(start, end), at);
      hasKey = true;
      complete(chunk);
      return true;
    },
    isPaired: () => !hasAccount && !hasKey,
    append(part) {
      for (const chunk of part.chunks()) if (chunk.count > 0) chunks.push(chunk);
      addCount(part.count());
    },
    chunks: () => chunks,
    count: () => count,
  };
}

/** Reads the record at an index of a chunk; lamports as stored. */
export function readStakeRecord({ bytes }: Chunk, index: number): StakeRecord {
  const at = index * RECORD_BYTES;
  let end = at + KEY_TEXT.bytes;
  while (bytes[end - 1] === 0) end -= 1;
  return {
    stakeAccount: bytes.toString("latin1", at, end),
    bytes,
    withdrawerAt: at + WITHDRAWER_AT,
    voterAt: at + VOTER_AT,
    lamports: bytes.readBigUInt64LE(at + LAMPORTS_AT),
    state: STAKE_STATES[bytes[at + STATE_AT] ?? 0] ?? "inactive",
  };
}
