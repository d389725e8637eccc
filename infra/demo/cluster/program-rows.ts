import type { ChainAccount } from "./chain-account.ts";

/** A part of the data, as `dataSlice` asks for it. */
export interface Slice {
  offset: number;
  length: number;
}

/** What an account must be like, as `filters` say it. */
export type ProgramFilter = { dataSize: number } | { offset: number; bytes: Uint8Array };

/** Which of all accounts, by their places from 0: from `from` up to, but not, `to`. */
export interface AccountRange {
  from: number;
  to: number;
}

/** Bytes of one part of an answer. */
const CHUNK_BYTES = 1 << 20;

/** No row of the programs here is longer. */
const ROW_BYTES_MAX = 8192;

/** Whether an account passes all filters. */
export function passes(data: Uint8Array, filters: readonly ProgramFilter[]): boolean {
  return filters.every((filter) => {
    if ("dataSize" in filter) return data.length === filter.dataSize;
    return filter.bytes.every((byte, index) => data[filter.offset + index] === byte);
  });
}

/** The account part of a row or of an answer, as JSON text. */
export function toAccountJson({ owner, lamports, data }: ChainAccount, slice: Slice | undefined): string {
  const from = slice?.offset ?? 0;
  const to = slice === undefined ? data.length : Math.min(from + slice.length, data.length);
  // No number above 2^53 must pass through a double: rentEpoch is the largest u64.
  return `{"data":["${data.toString("base64", from, to)}","base64"],"executable":false,"lamports":${lamports},"owner":"${owner}","rentEpoch":18446744073709551615,"space":${data.length}}`;
}

/** Collects the rows of an answer in large pieces, with commas between them. */
export function createRowWriter(): { add(row: string): void; finish(): Buffer[] } {
  const chunks: Buffer[] = [];
  let chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let used = 0;
  let first = true;

  return {
    add(row) {
      if (used + ROW_BYTES_MAX > CHUNK_BYTES) {
        chunks.push(chunk.subarray(0, used));
        chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        used = 0;
      }
      used += chunk.write(first ? row : `,${row}`, used, "latin1");
      first = false;
    },
    finish: () => [...chunks, chunk.subarray(0, used)],
  };
}
