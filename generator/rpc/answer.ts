import { randomUUID } from "node:crypto";
import { z } from "zod";
import { RpcError, toErrorKind } from "./error.ts";

/**
 * The id of every request. A connection pairs answers with requests, so an answer with any other id
 * belongs to another request.
 */
export const REQUEST_ID = 1;

/**
 * Most values of an answer. Ten thousand vote accounts are 300,000 values; millions of tiny ones
 * take minutes and gigabytes to parse.
 */
const VALUES_MAX = 500_000;
const MISFITS_MAX = 3;
/** Longest text of an endpoint in a message, before secrets are removed. */
const TEXT_LENGTH_MAX = 64 * 1024;

const errorSchema = z.union([
  z.string().transform((message) => ({ code: 0, message: message.slice(0, TEXT_LENGTH_MAX) })),
  z.object({
    code: z.union([z.int(), z.stringFormat("code", /^-?\d{1,9}$/).transform(Number)]).catch(0),
    message: z
      .string()
      .catch("no message")
      .transform((message) => message.slice(0, TEXT_LENGTH_MAX)),
  }),
]);

const envelopeSchema = z.object({
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: errorSchema.nullish(),
});

/**
 * Parses a JSON-RPC answer and returns its result.
 * @throws {RpcError} `body`, `oversized`, `shape`, or the kind of the error in the answer
 */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): T {
  const envelope = parseShape(envelopeSchema, parseBody(text), "JSON-RPC answer");
  if (envelope.error) {
    const { code, message } = envelope.error;
    throw new RpcError({
      kind: toErrorKind({ status: 200, code, message }),
      code,
      message: `error ${code}: ${message}`,
    });
  }
  if (envelope.id !== undefined && envelope.id !== REQUEST_ID) {
    throw new RpcError({ kind: "body", message: "the answer is to another request" });
  }
  if (envelope.result === undefined)
    throw new RpcError({ kind: "shape", message: "the answer has no result" });
  return parseShape(schema, envelope.result, "result");
}

/**
 * Makes an error of an answer whose status is not 2xx, with the JSON-RPC error in its body if it
 * has one.
 */
export function parseFailure(answer: {
  status: number;
  text: string;
  retryAfterMilliseconds: number | null;
}): RpcError {
  const { status, text, retryAfterMilliseconds } = answer;
  const error = findError(text);
  const kind = toErrorKind({ status, ...error });
  const code = error !== null && kind !== "http" ? error.code : status;
  const message = `HTTP status ${status}${error !== null ? `: error ${error.code}: ${error.message}` : ""}`;
  return new RpcError({ kind, code, message, retryAfterMilliseconds });
}

/**
 * Parses the body of an answer.
 * @throws {RpcError} `body` with the head of the text, `oversized` for too many values
 */
export function parseBody(text: string): unknown {
  // Each value takes at least a character.
  if (text.length > VALUES_MAX && countValues(text) > VALUES_MAX) {
    throw new RpcError({
      kind: "oversized",
      message: `the answer has more than ${VALUES_MAX} values`,
    });
  }
  try {
    return parseExactJson(text);
  } catch {
    const head = JSON.stringify(text.slice(0, TEXT_LENGTH_MAX));
    throw new RpcError({
      kind: "body",
      message: `expected JSON, got ${text.length} characters: ${head}`,
    });
  }
}

/**
 * Parses a value; `what` names it in the error.
 * @throws {RpcError} `shape`, with the first paths that do not fit
 */
export function parseShape<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = new z.ZodError(parsed.error.issues.slice(0, MISFITS_MAX));
  const misfits = z.prettifyError(first).replaceAll(/\s+/g, " ");
  throw new RpcError({ kind: "shape", message: `unexpected shape of the ${what}: ${misfits}` });
}

function findError(text: string): z.infer<typeof errorSchema> | null {
  try {
    return envelopeSchema.safeParse(parseExactJson(text)).data?.error ?? null;
  } catch {
    // It may be a gateway's HTML page.
    return null;
  }
}

/**
 * Parses JSON; integers beyond 2^53 become bigint. A reviver sees their source text (ECMAScript
 * 2026) but takes ten times as long as the rest. So long numbers that are members, as in lists of
 * vote accounts, are marked beforehand, and a reviver runs only if others remain.
 * @throws {SyntaxError} when it is no JSON
 * @throws {RangeError} when it nests deeper than the stack
 */
export function parseExactJson(text: string): unknown {
  const marked = text.replace(LONG_MEMBER, `$1"${MARK}$2"`);
  return LONG_NUMBER.test(marked) ? JSON.parse(text, toExact) : restore(JSON.parse(marked));
}

function toExact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return INTEGER.test(source) ? BigInt(source) : value;
}

function restore(value: unknown): unknown {
  if (typeof value === "string")
    return value.startsWith(MARK) ? toInteger(value.slice(MARK.length)) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = restore(value[index]);
  } else {
    const members = value as Record<string, unknown>;
    for (const key in members) members[key] = restore(members[key]);
  }
  return value;
}

function toInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}

/**
 * Long numbers that are members of objects. The pattern needs unescaped quotes, so it never matches
 * within a string.
 */
const LONG_MEMBER = /([{,]"[A-Za-z]+":)([1-9]\d{15,39})(?=[,}])/g;
/** Any other long number, perhaps in a string. */
const LONG_NUMBER = /(?:^|[-:,[\s])\d{16}/;
/** Random, so that no endpoint can send it. */
const MARK = randomUUID();

/** Counts values; commas and brackets within strings count too, so it is an upper bound. */
function countValues(text: string): number {
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

/** Integers of up to twice the digits of any number on chain; longer ones are slow to parse. */
const INTEGER = /^-?\d{1,40}$/;

/**
 * The largest u64. On chain it stands for «none», and in vote credits for Alpenglow's separator.
 */
export const U64_MAX = 2n ** 64n - 1n;

/** A u64 in an answer, as bigint. */
export const u64Schema = z.union([
  z.int().min(0).transform(BigInt),
  z.bigint().min(0n).max(U64_MAX),
]);
