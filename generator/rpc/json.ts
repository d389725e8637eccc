import { z } from "zod";

/**
 * Parses JSON without ever rounding an integer: one beyond 2^53 becomes a bigint, every other number stays a number. The
 * reviver's third argument carries the source text (ECMAScript 2026, Node 24). Of a key that stands twice the last counts.
 * @throws {SyntaxError} when the text is no JSON, and {RangeError} when it nests deeper than the stack
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
    const source = context?.source ?? "";
    return INTEGER.test(source) ? BigInt(source) : value;
  });
}

/**
 * How many values a JSON text can hold at most: each but the outermost comes after one of these marks, which are also
 * counted where they stand in a string. An object's key and its value count as one.
 */
export function countValues(text: string): number {
  let count = 1;
  for (let index = 0; index < text.length; index++) if (isMark(text.charCodeAt(index))) count++;
  return count;
}

function isMark(code: number): boolean {
  return code === COMMA || code === OPEN_ARRAY || code === OPEN_OBJECT;
}

const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** Twice the digits of any number of the chain; longer ones are nonsense, and take long to make. */
const INTEGER = /^-?\d{1,40}$/;

/** Largest unsigned 64-bit number: the chain's «none» and Alpenglow's separator. */
export const U64_MAX = 2n ** 64n - 1n;

/** An unsigned 64-bit number as {@link parseExactJson} hands it over, always as a bigint. */
export const u64Schema = z.union([z.int().min(0).transform(BigInt), z.bigint().min(0n).max(U64_MAX)]);
