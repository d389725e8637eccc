import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { SEVERITIES } from "./event.ts";
import { DEFAULT_NETWORK, NETWORKS } from "./networks.ts";
import { SEARCH_MIN_CODE_POINTS } from "./search.ts";
import { PUBKEY_PATTERN } from "./values.ts";

/** Upper bound of a number that the API bounds from below only: the largest integer a client's JSON reads exactly. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/** What `String.prototype.trim` leaves standing. Spelled out, for `\s` of other languages takes other characters. */
const NO_BLANK = String.raw`[^\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`;

/**
 * Every parameter a request can carry, with its bounds, its default and the error code of a value outside of them. The
 * one table: the proxy parses by it, the OpenAPI document shows it. `schema` takes the value, not its text in the URL;
 * undefined gives the default. Two parameters are called `epochs`: their bounds differ by endpoint.
 */
export const PARAMETERS = {
  network: {
    name: "network",
    in: "query",
    code: "invalid_network",
    values: NETWORKS,
    default: DEFAULT_NETWORK,
    schema: z.enum(NETWORKS).default(DEFAULT_NETWORK),
    description: "The cluster.",
  },
  votePubkey: {
    name: "votePubkey",
    in: "path",
    required: true,
    code: "invalid_pubkey",
    schema: z.string().min(32).max(44).regex(PUBKEY_PATTERN),
    description: "Vote account of the validator: Base58 of exactly 32 bytes, 32 to 44 characters.",
  },
  epoch: {
    ...wholeNumber({ name: "epoch", min: 0, max: NO_BOUND }),
    in: "path",
    required: true,
    description: "Number of the epoch.",
  },
  page: {
    ...wholeNumber({ name: "page", min: 1, max: NO_BOUND, default: 1 }),
    description: "Page of the list, from 1. A page past the end is empty.",
  },
  limit: { ...wholeNumber({ name: "limit", min: 1, max: 100, default: 50 }), description: "Validators on a page." },
  days: {
    ...wholeNumber({ name: "days", min: 1, max: NO_BOUND }),
    description: "Only the newest days on record, this many. All of them when left out.",
  },
  epochs: {
    ...wholeNumber({ name: "epochs", min: 1, max: 50, default: 10 }),
    description: "How many of the newest epochs to cover.",
  },
  severity: {
    name: "severity",
    in: "query",
    code: "invalid_parameter",
    values: SEVERITIES,
    schema: z.enum(SEVERITIES).optional(),
    description: "Only events of this severity. All of them when left out.",
  },
  epochsPerPage: {
    ...wholeNumber({ name: "epochs", min: 1, max: 100, default: 10 }),
    description: "Epochs on a page.",
  },
  offset: {
    ...wholeNumber({ name: "offset", min: 0, max: NO_BOUND, default: 0 }),
    description: "How many epochs back from the newest one the page starts.",
  },
  q: {
    name: "q",
    in: "query",
    required: true,
    code: "invalid_parameter",
    min: SEARCH_MIN_CODE_POINTS,
    schema: z
      .string()
      .normalize("NFC")
      .trim()
      .refine((text) => Array.from(text).length >= SEARCH_MIN_CODE_POINTS)
      .meta({ minLength: SEARCH_MIN_CODE_POINTS, pattern: `${NO_BLANK}[\\s\\S]*${NO_BLANK}` }),
    description:
      "Part of a name or of a vote account; case and surrounding blanks do not matter. Length in code points.",
  },
} as const satisfies Record<string, Parameter>;

export type ParameterKey = keyof typeof PARAMETERS;

/** One row of {@link PARAMETERS}. `min` and `max` bound a number, or the code points of a text; both are inclusive. */
export interface Parameter {
  name: string;
  in: "path" | "query";
  required?: true;
  /** Answered when the value is not one of the parameter's. */
  code: ErrorCode;
  min?: number;
  max?: number;
  values?: readonly string[];
  /** The value of a parameter that the request does not carry. */
  default?: number | string;
  schema: z.ZodType;
  description: string;
}

interface WholeNumberOptions {
  name: string;
  min: number;
  max: number;
  default?: number;
}

function wholeNumber<const Options extends WholeNumberOptions>(options: Options) {
  const schema = z.int().min(options.min).max(options.max);
  const withDefault = options.default === undefined ? schema : schema.default(options.default);
  return { in: "query", code: "invalid_parameter", schema: withDefault, ...options } as const;
}
