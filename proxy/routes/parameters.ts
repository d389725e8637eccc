import { base58 } from "@scure/base";
import type { Feed } from "../../generator/contract/feed.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { OPERATIONS } from "../../generator/contract/operations.ts";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";
import { toPlainLine } from "../../generator/contract/strangers-text.ts";
import { MONTH_PATTERN, PUBKEY_PATTERN } from "../../generator/contract/values.ts";
import type { Answer } from "../answer.ts";
import type { Cached } from "../cache/cache.ts";
import { ApiError } from "../errors.ts";

/** The query as h3 reads it: a repeated parameter is a list, which is refused. */
export type Query = Readonly<Partial<Record<string, string | string[]>>>;

/** One operation. `answer` reads the path parameters, then the query, then looks for the data. */
export interface Route {
  operation: keyof typeof OPERATIONS;
  /** @param names unchecked, as `query` is */
  answer(of: {
    network: Network;
    names: Readonly<Record<string, string>>;
    query: Query;
  }): Promise<Cached<Answer>>;
}

type Bounds = Parameter & { min: number; max: number };
interface OneOf<Value extends string> extends Parameter {
  values: readonly Value[];
}
interface SomeOf<Value extends string> extends OneOf<Value> {
  listMax: number;
}
type WholeNumber = (typeof PARAMETERS)[
  | "page"
  | "limit"
  | "walletLimit"
  | "epochs"
  | "epochsPerPage"
  | "offset"
  | "after"
  | "changesLimit"];

/**
 * Refuses signs, blanks, exponents and leading zeros:
 * each number has one spelling, so one cache key.
 */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
/** As JSON has it (RFC 8259): programs write 0.0000001 as 1e-7. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const PUBKEY_BYTES = 32;
const SHOWN_MAX_CODE_POINTS = 60;

/** @throws {ApiError} `invalid_network` */
export const readNetwork = (query: Query): Network =>
  readOneOf(query, PARAMETERS.network) ?? PARAMETERS.network.default;
/** @throws {ApiError} `invalid_network` */
export const readNetworkInPath = (text: string | undefined): Network =>
  toOneOf(text, PARAMETERS.networkInPath);
/** @throws {ApiError} if there is no such feed */
export const readFeed = (text: string | undefined): Feed => toOneOf(text, PARAMETERS.feed);
/** Whether to fold repeats; false by default. @throws {ApiError} `invalid_parameter` */
export const readCollapse = (query: Query): boolean =>
  readOneOf(query, PARAMETERS.collapse) === "true";
/** undefined: all days. */
export const readDays = (query: Query) =>
  toWholeNumber(readText(query, PARAMETERS.days), PARAMETERS.days);
/** Returns the number or its default. @throws {ApiError} if it is out of its bounds */
export const readWholeNumber = (query: Query, parameter: WholeNumber): number =>
  toWholeNumber(readText(query, parameter), parameter) ?? parameter.default;

/** @throws {ApiError} `invalid_parameter` if it is missing, empty or too long */
export function readSearchText(query: Query): string {
  const text = readText(query, PARAMETERS.q);
  const parsed = PARAMETERS.q.schema.safeParse(text);
  if (!parsed.success) throw refuse(PARAMETERS.q, text);
  return parsed.data;
}

/** @throws {ApiError} `invalid_parameter` */
export function readEpoch(text: string | undefined): number {
  const epoch = toWholeNumber(text, PARAMETERS.epoch);
  if (epoch === undefined) throw refuse(PARAMETERS.epoch, text);
  return epoch;
}

/** @throws {ApiError} `invalid_parameter` if it is not `YYYY-MM` */
export function readMonth(text: string | undefined): string {
  if (text === undefined || !MONTH_PATTERN.test(text)) throw refuse(PARAMETERS.month, text);
  return text;
}

/** @throws {ApiError} `invalid_pubkey` if it is not Base58 of 32 bytes */
export function toPubkey(
  text: string | undefined,
  parameter: Parameter = PARAMETERS.votePubkey,
): string {
  if (text === undefined || !PUBKEY_PATTERN.test(text)) throw refuse(parameter, text);
  if (base58.decode(text).length !== PUBKEY_BYTES) throw refuse(parameter, text);
  return text;
}

/** null: it is not given. @throws {ApiError} `invalid_pubkey` */
export function readPubkey(query: Query, parameter: Parameter): string | null {
  const text = readText(query, parameter);
  return text === undefined ? null : toPubkey(text, parameter);
}

/**
 * Reads values with commas between; each counts once, in the order of the table, so that equal
 * questions are asked alike. null: it is not given. @throws {ApiError} `invalid_parameter`
 */
export function readSomeOf<Value extends string>(
  query: Query,
  parameter: SomeOf<Value>,
): readonly Value[] | null {
  const text = readText(query, parameter);
  if (text === undefined) return null;
  const given = text.split(",").map((part) => toOneOf(part, parameter));
  return parameter.values.filter((value) => given.includes(value));
}

/**
 * Reads keys with commas between; each counts once. null: none are given.
 * @throws {ApiError} `invalid_pubkey`
 */
export function readPubkeys(
  query: Query,
  parameter: Parameter & { listMax: number },
): readonly string[] | null {
  const text = readText(query, parameter);
  if (text === undefined) return null;
  const given = text.split(",");
  if (given.length > parameter.listMax)
    throw new ApiError(
      parameter.code,
      `${parameter.name} takes at most ${parameter.listMax} keys, not ${given.length}.`,
      { param: parameter.name },
    );
  return [...new Set(given.map((key) => toPubkey(key, parameter)))];
}

/** The vote accounts of a feed. @throws {ApiError} `invalid_pubkey`, also if none are given */
export function readVotes(query: Query): readonly string[] {
  const votes = readPubkeys(query, PARAMETERS.votes);
  if (votes === null) throw refuse(PARAMETERS.votes, undefined);
  return votes;
}

/** Reads a percentage; null: it is not given. @throws {ApiError} `invalid_parameter` */
export function readPercent(
  query: Query,
  parameter: (typeof PARAMETERS)["commissionMin" | "commissionMax"],
): number | null {
  const text = readText(query, parameter);
  if (text === undefined) return null;
  const percent = NUMBER.test(text) ? Number(text) : NaN;
  if (!(percent >= parameter.min && percent <= parameter.max)) throw refuse(parameter, text);
  return percent;
}

function readText(query: Query, { name, code }: Parameter): string | undefined {
  const value = query[name];
  if (Array.isArray(value))
    throw new ApiError(code, `${name} is given more than once.`, { param: name });
  return value;
}

/**
 * Reads the bounds from the table: parsing with its
 * schemas takes longer than the rest of a request.
 */
function toWholeNumber(text: string | undefined, parameter: Bounds): number | undefined {
  if (text === undefined) return undefined;
  const number = WHOLE_NUMBER.test(text) ? Number(text) : NaN;
  if (!(number >= parameter.min && number <= parameter.max)) throw refuse(parameter, text);
  return number;
}

/** undefined: it is not given. @throws {ApiError} with the parameter's code */
export function readOneOf<Value extends string>(
  query: Query,
  parameter: OneOf<Value>,
): Value | undefined {
  const text = readText(query, parameter);
  return text === undefined ? undefined : toOneOf(text, parameter);
}

function toOneOf<Value extends string>(text: string | undefined, parameter: OneOf<Value>): Value {
  const value = parameter.values.find((candidate) => candidate === text);
  if (value === undefined) throw refuse(parameter, text);
  return value;
}

function refuse(parameter: Parameter, text: string | undefined): ApiError {
  const given = text === undefined ? "and is missing" : `not ${JSON.stringify(toShown(text))}`;
  const message = `${parameter.name} must be ${toRange(parameter)}, ${given}.`;
  return new ApiError(parameter.code, message, { param: parameter.name });
}

function toRange({ values, listMax, min, max, isFractional }: Parameter): string {
  if (values !== undefined) {
    const range = `one of ${values.join(", ")}`;
    return listMax === undefined ? range : `${range}, or several with commas between`;
  }
  if (min === undefined) {
    const key = "Base58 of exactly 32 bytes, 32 to 44 characters";
    return listMax === undefined ? key : `keys with commas between, each ${key}`;
  }
  if (max === undefined) return `at least ${min} characters`;
  const number = isFractional === true ? "a number" : "a whole number";
  return `${number} from ${min} to ${max}`;
}

/**
 * What a client gave, to be repeated to it: it may end up in a log or page, so it is a little, and
 * only what can be seen.
 */
export function toShown(text: string): string {
  // A text of 8,192 characters is cut before it is cleaned.
  const plain = toPlainLine(text.slice(0, 4 * SHOWN_MAX_CODE_POINTS), SHOWN_MAX_CODE_POINTS + 1);
  const codePoints = Array.from(plain);
  const isCut = codePoints.length > SHOWN_MAX_CODE_POINTS;
  return isCut ? `${codePoints.slice(0, SHOWN_MAX_CODE_POINTS).join("")}…` : plain;
}
