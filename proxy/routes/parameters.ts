import { base58 } from "@scure/base";
import { PARAMETERS, type Parameter } from "../../generator/contract/parameters.ts";
import type { Feed } from "../../generator/contract/feed.ts";
import type { Network } from "../../generator/contract/networks.ts";
import type { Severity } from "../../generator/contract/event.ts";
import { ApiError } from "../http/api-error.ts";

/** The query of a request: a parameter given more than once is an array. */
export type Query = Readonly<Partial<Record<string, string | string[]>>>;

type Bounds = Parameter & { min: number; max: number };
interface OneOf<Value extends string> extends Parameter {
  values: readonly Value[];
}
type WholeNumber = (typeof PARAMETERS)["page" | "limit" | "epochs" | "epochsPerPage" | "offset"];

/** Signs, blanks, exponents and leading zeros are refused: one number has one spelling, and one cache key. */
const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const PUBKEY_BYTES = 32;
/** Longest piece of a refused value that is repeated to the client. */
const SHOWN_MAX_CHARACTERS = 60;

export function readNetwork(query: Query): Network {
  return readOneOf(query, PARAMETERS.network) ?? PARAMETERS.network.default;
}

/** The network of a path that names it. */
export function readNetworkInPath(text: string | undefined): Network {
  return toOneOf(text, PARAMETERS.networkInPath);
}

/** A feed of the path. */
export function readFeed(text: string | undefined): Feed {
  return toOneOf(text, PARAMETERS.feed);
}

/** A whole number of the query, or its default. */
export function readWholeNumber(query: Query, parameter: WholeNumber): number {
  return toWholeNumber(readText(query, parameter), parameter) ?? parameter.default;
}

/** Days of uptime; undefined: all of them. */
export function readDays(query: Query): number | undefined {
  return toWholeNumber(readText(query, PARAMETERS.days), PARAMETERS.days);
}

/** The severity to filter by; null: no filter. */
export function readSeverity(query: Query): Severity | null {
  return readOneOf(query, PARAMETERS.severity) ?? null;
}

/** The text to search for, in NFC and trimmed. */
export function readSearchText(query: Query): string {
  const text = readText(query, PARAMETERS.q);
  const parsed = PARAMETERS.q.schema.safeParse(text);
  if (!parsed.success) throw refuse(PARAMETERS.q, text);
  return parsed.data;
}

/** An epoch of the path. */
export function readEpoch(text: string | undefined): number {
  const epoch = toWholeNumber(text, PARAMETERS.epoch);
  if (epoch === undefined) throw refuse(PARAMETERS.epoch, text);
  return epoch;
}

/** A vote account of the path: Base58 that decodes to exactly 32 bytes. */
export function readVotePubkey(text: string | undefined): string {
  const parsed = PARAMETERS.votePubkey.schema.safeParse(text);
  if (!parsed.success || base58.decode(parsed.data).length !== PUBKEY_BYTES) throw refuse(PARAMETERS.votePubkey, text);
  return parsed.data;
}

function readText(query: Query, parameter: Parameter): string | undefined {
  const value = query[parameter.name];
  if (typeof value === "string" || value === undefined) return value;
  throw new ApiError({ code: parameter.code, message: `${parameter.name} is given more than once.` });
}

/** Bounds and values are read from the table itself: its schemas say the same, and cost more than all else of a request. */
function toWholeNumber(text: string | undefined, parameter: Bounds): number | undefined {
  if (text === undefined) return undefined;
  const number = WHOLE_NUMBER.test(text) ? Number(text) : NaN;
  if (!(number >= parameter.min && number <= parameter.max)) throw refuse(parameter, text);
  return number;
}

/** One of the parameter's values; undefined: none is given. */
function readOneOf<Value extends string>(query: Query, parameter: OneOf<Value>): Value | undefined {
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
  return new ApiError({ code: parameter.code, message: `${parameter.name} must be ${toRange(parameter)}, ${given}.` });
}

function toRange({ values, min, max }: Parameter): string {
  if (values !== undefined) return `one of ${values.join(", ")}`;
  if (min === undefined) return "Base58 of exactly 32 bytes, 32 to 44 characters";
  return max === undefined ? `at least ${min} characters` : `a whole number from ${min} to ${max}`;
}

/**
 * What is repeated to a client may end up in its log or page: printable ASCII, for the rest a question mark, and not much of
 * it. So little that a CDN's edge, which knows no Unicode, says the same (infra/edge/).
 */
function toShown(text: string): string {
  const shown = text.replaceAll(/[^\x20-\x7e]+/g, "?");
  return shown.length > SHOWN_MAX_CHARACTERS ? `${shown.slice(0, SHOWN_MAX_CHARACTERS)}…` : shown;
}
