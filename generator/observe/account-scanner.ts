import { RpcError } from "./rpc-error.ts";

/** Called with the base64 text of one account's data, as a range of bytes that is valid only during the call. */
export type OnAccountData = (bytes: Uint8Array, start: number, end: number) => void;

export interface AccountScanner {
  /** Takes the next bytes of the answer, cut anywhere. @throws {RpcError} `body` on a string no account has */
  push(chunk: Uint8Array): void;
  /** Whether the answer's outermost bracket was closed. */
  isComplete(): boolean;
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

const SLICE_BYTES = 64 * 1024;
/** Longest string that may be cut in two by a chunk: far above any of an account's, far below what memory allows. */
const HELD_BYTES_MAX = 64 * 1024;

/** What stands before the position, as far as it can lead to account data: `"data"`, then `[`. */
type Before = "other" | "data key" | "data array";

/**
 * Finds `"data":["BASE64",…]` in a JSON answer of any size without building text or objects of it: one pass over the bytes
 * that knows strings, brackets and the key it looks for. Inside a string nothing is mistaken for structure, because a quote
 * there is escaped.
 *
 * The bytes are copied into one window. A string that a chunk cuts in two stays there until its end has come.
 */
export function createAccountScanner(onAccountData: OnAccountData): AccountScanner {
  const window = new Uint8Array(HELD_BYTES_MAX + SLICE_BYTES + 1);
  let held = 0;
  let depth = 0;
  let opened = false;
  let before: Before = "other";

  /** Scans the window and returns how many of its first `length` bytes are done with. */
  function scan(length: number): number {
    const bytes = window;
    // A quote past the end stops every search for the end of a string without asking for the length at each byte.
    bytes[length] = QUOTE;
    let position = 0;
    while (position < length) {
      const byte = bytes[position];
      switch (byte) {
        case QUOTE: {
          const end = findClosingQuote(bytes, position + 1);
          if (end >= length) return position;
          if (before === "data array") onAccountData(bytes, position + 1, end);
          before = isDataKey(bytes, position + 1, end) ? "data key" : "other";
          position = end;
          break;
        }
        case OPEN_ARRAY:
          depth++;
          before = before === "data key" ? "data array" : "other";
          break;
        case OPEN_OBJECT:
          depth++;
          opened = true;
          before = "other";
          break;
        case CLOSE_ARRAY:
        case CLOSE_OBJECT:
          depth--;
          before = "other";
          break;
        case COLON:
          break;
        default:
          // Spaces are allowed anywhere between; commas, digits and words are not what leads to account data.
          if (byte !== undefined && byte > SPACE) before = "other";
      }
      position++;
    }
    return length;
  }

  function take(slice: Uint8Array): void {
    window.set(slice, held);
    const length = held + slice.length;
    const done = scan(length);
    window.copyWithin(0, done, length);
    held = length - done;
    if (held > HELD_BYTES_MAX) {
      throw new RpcError({ kind: "body", message: `the answer has a string longer than ${HELD_BYTES_MAX} bytes` });
    }
  }

  return {
    push(chunk) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES) take(chunk.subarray(start, start + SLICE_BYTES));
    },
    isComplete: () => opened && depth === 0 && held === 0,
  };
}

/** Index of the quote that ends the string; at or past the sentinel when its end has not come yet. */
function findClosingQuote(bytes: Uint8Array, start: number): number {
  let position = start;
  for (;;) {
    const byte = bytes[position];
    if (byte === QUOTE || byte === undefined) return position;
    position += byte === BACKSLASH ? 2 : 1;
  }
}

function isDataKey(bytes: Uint8Array, start: number, end: number): boolean {
  return (
    end - start === 4 &&
    bytes[start] === 0x64 &&
    bytes[start + 1] === 0x61 &&
    bytes[start + 2] === 0x74 &&
    bytes[start + 3] === 0x61
  );
}
