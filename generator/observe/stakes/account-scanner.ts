import { RpcError } from "../../rpc/error.ts";

/** Base64, valid only during the call. */
type OnAccountData = (bytes: Uint8Array, start: number, end: number) => void;
type OnAccountKey = OnAccountData;

interface AccountScanner {
  /**
   * @throws {RpcError} `body` on a string longer than
   * any account's, `shape` on a bad `paginationKey`
   */
  push(chunk: Uint8Array): void;
  isComplete(): boolean;
  /** null: this was the last. */
  paginationKey(): string | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const NULL_INITIAL = 0x6e;
const SPACE = 0x20;

const DATA_KEY = Buffer.from("data");
const ACCOUNT_KEY = Buffer.from("pubkey");
const PAGINATION_KEY = Buffer.from("paginationKey");
/** If all characters are escapes. */
const KEY_BYTES_MAX = 6 * PAGINATION_KEY.length;
/** Deeper it would be an account's own member. */
const PAGINATION_DEPTH_MAX = 3;
/** Sent back with the next request, so bound it. */
const PAGINATION_TEXT_MAX = 256;

const SLICE_BYTES = 64 * 1024;
/** Of a string: far above an account's, far below what memory allows. */
const STRING_BYTES_MAX = 64 * 1024;

type Before = "other" | "data key" | "data array" | "account key" | "pagination key";

/**
 * Finds `"data":["BASE64",…]`, `"pubkey":"…"` and `"paginationKey":…`
 * in one pass. A string cut by a chunk stays in the window.
 */
export function createAccountScanner(
  onAccountData: OnAccountData,
  onAccountKey?: OnAccountKey,
): AccountScanner {
  const window = new Uint8Array(STRING_BYTES_MAX + SLICE_BYTES + 1);
  let keptBytes = 0;
  let depth = 0;
  let outermost: "open" | "closed" | "overrun" = "open";
  let before: Before = "other";
  let paginationKey: string | null = null;

  function scan(length: number): number {
    // A sentinel: searches for a quote need no length check.
    window[length] = QUOTE;
    let position = 0;
    while (position < length) {
      const byte = window[position];
      // Numbers make it a jump table: a fifth faster over 370 MB.
      switch (byte) {
        case 0x22: {
          // "
          const end = findClosingQuote(window, position + 1);
          if (end >= length) return position;
          takeString(position + 1, end);
          position = end;
          break;
        }
        case 0x5b: // [
        case 0x7b: // {
          depth++;
          if (before !== "other") before = afterKey(byte);
          break;
        case 0x5d: // ]
        case 0x7d: // }
          depth--;
          before = "other";
          if (depth > 0) break;
          outermost = isBlank(window, position + 1, length) ? "closed" : "overrun";
          return length;
        case 0x3a: // :
          break;
        default:
          if (before !== "other" && byte !== undefined && byte > SPACE) before = afterKey(byte);
      }
      position++;
    }
    return length;
  }

  function takeString(start: number, end: number): void {
    if (before === "data array") onAccountData(window, start, end);
    if (before === "pagination key") {
      paginationKey = parsePaginationKey(window, start, end);
      before = "other";
      return;
    }
    if (before === "account key") {
      onAccountKey?.(window, start, end);
      before = "other";
      return;
    }
    before = toKey(window, start, end);
    if (before === "pagination key" && depth > PAGINATION_DEPTH_MAX) before = "other";
  }

  function afterKey(byte: number): Before {
    if (before === "data key" && byte === OPEN_ARRAY) return "data array";
    if (before === "pagination key" && byte !== COMMA) {
      if (byte !== NULL_INITIAL) throw toShapeError("neither text nor null");
      paginationKey = null;
    }
    return "other";
  }

  function take(slice: Uint8Array): void {
    if (outermost !== "open") {
      if (!isBlank(slice, 0, slice.length)) outermost = "overrun";
      return;
    }
    window.set(slice, keptBytes);
    const length = keptBytes + slice.length;
    const done = scan(length);
    window.copyWithin(0, done, length);
    keptBytes = length - done;
    if (keptBytes > STRING_BYTES_MAX) {
      throw new RpcError({
        kind: "body",
        message: `the answer has a string longer than ${STRING_BYTES_MAX} bytes`,
      });
    }
  }

  return {
    push(chunk) {
      for (let start = 0; start < chunk.length; start += SLICE_BYTES)
        take(chunk.subarray(start, start + SLICE_BYTES));
    },
    isComplete: () => outermost === "closed",
    paginationKey: () => paginationKey,
  };
}

function toKey(bytes: Uint8Array, start: number, end: number): Before {
  if (equalBytes(bytes, start, end, DATA_KEY)) return "data key";
  if (equalBytes(bytes, start, end, ACCOUNT_KEY)) return "account key";
  if (equalBytes(bytes, start, end, PAGINATION_KEY)) return "pagination key";
  if (end - start > KEY_BYTES_MAX || !isEscaped(bytes, start, end)) return "other";
  const text = Buffer.from(parseString(bytes, start, end) ?? "");
  return text.includes(BACKSLASH) ? "other" : toKey(text, 0, text.length);
}

function isEscaped(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++)
    if (bytes[position] === BACKSLASH) return true;
  return false;
}

function parsePaginationKey(bytes: Uint8Array, start: number, end: number): string {
  const text = end - start > 6 * PAGINATION_TEXT_MAX ? null : parseString(bytes, start, end);
  if (text === null || text.length > PAGINATION_TEXT_MAX) {
    throw toShapeError(`no text of at most ${PAGINATION_TEXT_MAX} characters`);
  }
  return text;
}

function toShapeError(what: string): RpcError {
  return new RpcError({ kind: "shape", message: `paginationKey is ${what}` });
}

function findClosingQuote(bytes: Uint8Array, start: number): number {
  let position = start;
  for (;;) {
    const byte = bytes[position];
    if (byte === QUOTE || byte === undefined) return position;
    position += byte === BACKSLASH ? 2 : 1;
  }
}

/** null: an escape that JSON does not know. */
function parseString(bytes: Uint8Array, start: number, end: number): string | null {
  try {
    return JSON.parse(`"${Buffer.from(bytes.subarray(start, end)).toString("utf8")}"`) as string;
  } catch {
    return null;
  }
}

function equalBytes(bytes: Uint8Array, start: number, end: number, other: Uint8Array): boolean {
  if (end - start !== other.length) return false;
  for (let index = 0; index < other.length; index++)
    if (bytes[start + index] !== other[index]) return false;
  return true;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position++)
    if ((bytes[position] ?? 0) > SPACE) return false;
  return true;
}
