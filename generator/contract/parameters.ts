import { z } from "zod";
import type { ErrorCode } from "./errors.ts";
import { SEVERITIES, SOURCES } from "./event.ts";
import { FEEDS } from "./feed.ts";
import { DEFAULT_NETWORK, NETWORKS } from "./networks.ts";
import { SEARCH_MIN_CODE_POINTS } from "./search.ts";
import { MONTH_PATTERN, PUBKEY_PATTERN } from "./values.ts";
import { VERDICT_LEVELS } from "./verdict.ts";

/** Bound of numbers without a real one: the largest integer that JSON clients read exactly. */
const NO_BOUND = Number.MAX_SAFE_INTEGER;

/**
 * A character that `String.prototype.trim` keeps. It is spelled out because `\s` differs between
 * languages.
 */
const NO_BLANK = String.raw`[^\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`;

/** A validator of the simulated network: examples must not accuse a real one. */
const EXAMPLE_VOTE_ACCOUNT = "D9i28L1u8HRSocDTC3YSnkjLidCn9JhN3ZNVNq2xC2EK";

const EXAMPLE_WALLET = "J8uP3qrv4vbz9x7qLi92Kt4ZJL5DbVAPvAsKkZUXf3A9";

/**
 * Every parameter of path and query. A key is a name of its own, because parameters of one name
 * differ in bounds and defaults (`epochs`, `limit`, `network`).
 */
export const PARAMETERS = {
  network: {
    name: "network",
    in: "query",
    code: "invalid_network",
    values: NETWORKS,
    default: DEFAULT_NETWORK,
    schema: z.enum(NETWORKS).default(DEFAULT_NETWORK),
    example: DEFAULT_NETWORK,
    description: "The cluster to ask about.",
  },
  networkInPath: {
    name: "network",
    in: "path",
    required: true,
    code: "invalid_network",
    values: NETWORKS,
    schema: z.enum(NETWORKS),
    example: DEFAULT_NETWORK,
    description: "The cluster to ask about.",
  },
  feed: {
    name: "feed",
    in: "path",
    required: true,
    code: "not_found",
    values: FEEDS,
    schema: z.enum(FEEDS),
    example: "caution",
    description:
      "`events`: changes of every severity. `rug`, `caution`, `info`: changes of that severity.",
  },
  votePubkey: {
    name: "votePubkey",
    in: "path",
    required: true,
    code: "invalid_pubkey",
    schema: z.string().min(32).max(44).regex(PUBKEY_PATTERN),
    example: EXAMPLE_VOTE_ACCOUNT,
    description:
      "Vote account of the validator: Base58 of exactly 32 bytes, 32 to 44 characters. Case " +
      "matters.",
  },
  pubkey: {
    name: "pubkey",
    in: "path",
    required: true,
    code: "invalid_pubkey",
    schema: z.string().min(32).max(44).regex(PUBKEY_PATTERN),
    example: EXAMPLE_WALLET,
    description:
      "A wallet, or a stake account: Base58 of exactly 32 bytes, 32 to 44 characters. Case " +
      "matters.",
  },
  epoch: {
    ...wholeNumber({ name: "epoch", min: 0, max: NO_BOUND }),
    in: "path",
    required: true,
    example: 1062,
    description: "Number of the epoch, as the cluster counts, from 0.",
  },
  month: {
    name: "month",
    in: "path",
    required: true,
    code: "invalid_parameter",
    schema: z.string().regex(MONTH_PATTERN),
    example: "2026-11",
    description: "The month, UTC, YYYY-MM.",
  },
  page: {
    ...wholeNumber({ name: "page", min: 1, max: NO_BOUND, default: 1 }),
    example: 1,
    description: "Page of the list, from 1. A page past the end is empty, not an error.",
  },
  limit: {
    ...wholeNumber({ name: "limit", min: 1, max: 100, default: 50 }),
    example: 2,
    description: "Validators on a page, at most 100.",
  },
  walletLimit: {
    ...wholeNumber({ name: "limit", min: 1, max: 1000, default: 1000 }),
    example: 1000,
    description: "Accounts on a page, at most 1,000.",
  },
  votePubkeys: {
    name: "votePubkeys",
    in: "query",
    code: "invalid_pubkey",
    listMax: 100,
    schema: z.array(z.string().regex(PUBKEY_PATTERN)).min(1).max(100).optional(),
    isLeftOutOfExamples: true,
    example: [EXAMPLE_VOTE_ACCOUNT],
    description:
      "Only these vote accounts, at most 100, with commas between. `meta.unknown` names those " +
      "that are not in the list. Ask with `limit=100` for all of them on one page.",
  },
  votes: {
    name: "votes",
    in: "query",
    required: true,
    code: "invalid_pubkey",
    listMax: 50,
    schema: z.array(z.string().regex(PUBKEY_PATTERN)).min(1).max(50),
    example: [EXAMPLE_VOTE_ACCOUNT],
    description: "Vote accounts, at most 50, with commas between, in any order.",
  },
  order: {
    ...oneOf("order", ["stake", "commission", "appliedCommission", "name"]),
    isLeftOutOfExamples: true,
    example: "commission",
    description:
      "What to order by: active stake (the default), a commission, or the name without regard " +
      "to case. Ties are in the order of rank, and what is not known comes last.",
  },
  dir: {
    ...oneOf("dir", ["asc", "desc"]),
    isLeftOutOfExamples: true,
    example: "asc",
    description:
      "Direction of `order`. Default: `desc`, largest first, for `stake`; `asc` for the others.",
  },
  delinquent: {
    ...oneOf("delinquent", ["true", "false"]),
    isLeftOutOfExamples: true,
    example: "false",
    description: "Only validators that do not vote now (`true`), or only those that do (`false`).",
  },
  commissionMin: {
    ...percent("commissionMin"),
    isLeftOutOfExamples: true,
    example: 5,
    description:
      "Only validators whose announced inflation commission (`commission`) is known and at " +
      "least so much, percent.",
  },
  commissionMax: {
    ...percent("commissionMax"),
    isLeftOutOfExamples: true,
    example: 10,
    description:
      "Only validators whose announced inflation commission (`commission`) is known and at " +
      "most so much, percent.",
  },
  verdict: {
    ...someOf("verdict", VERDICT_LEVELS),
    isLeftOutOfExamples: true,
    example: ["bad", "caution"],
    description: "Only validators with one of these verdicts, with commas between.",
  },
  days: {
    ...wholeNumber({ name: "days", min: 1, max: NO_BOUND }),
    example: 2,
    description: "How many of the newest recorded UTC days to return. Default: all.",
  },
  epochs: {
    ...wholeNumber({ name: "epochs", min: 1, max: 50, default: 10 }),
    example: 1,
    description:
      "How many of the newest epochs to cover, including the running one; at most 50. Older " +
      "events: `/exports`, or the events of one validator.",
  },
  severity: {
    ...someOf("severity", SEVERITIES),
    example: ["RUG"],
    description:
      "Only events of these severities, in capital letters, with commas between. Default: all.",
  },
  source: {
    ...oneOf("source", SOURCES),
    isLeftOutOfExamples: true,
    example: "COMMISSION",
    description: "Only changes of the inflation commission, or only those of the MEV commission.",
  },
  votePubkeyInQuery: {
    name: "votePubkey",
    in: "query",
    code: "invalid_pubkey",
    schema: z.string().min(32).max(44).regex(PUBKEY_PATTERN).optional(),
    isLeftOutOfExamples: true,
    example: EXAMPLE_VOTE_ACCOUNT,
    description:
      "Only events of this vote account. All that it ever had: " +
      "`/validators/{votePubkey}/events`.",
  },
  fields: {
    ...oneOf("fields", ["compact"]),
    isLeftOutOfExamples: true,
    example: "compact",
    description:
      "`compact`: leave out `transaction`, `cost` and `mevCost`, which are up to half of an " +
      "event's bytes. Default: all fields.",
  },
  collapse: {
    name: "collapse",
    in: "query",
    code: "invalid_parameter",
    values: ["true", "false"],
    default: "false",
    schema: z.enum(["true", "false"]).default("false"),
    example: "true",
    description:
      "`true`: keep only the newest of the events that repeat one `pattern`; it carries the " +
      "count. An event that goes further than the pattern did before is no repeat and stays. " +
      "All members of an `incident` stay, as each is of another validator: to show them as " +
      "one, group them by the incident's id. `false`: return all.",
  },
  epochsPerPage: {
    ...wholeNumber({ name: "epochs", min: 1, max: 100, default: 10 }),
    example: 2,
    description: "Epochs on a page, at most 100.",
  },
  offset: {
    ...wholeNumber({ name: "offset", min: 0, max: NO_BOUND, default: 0 }),
    example: 0,
    description:
      "How many epochs before the newest one the page ends: 0 is the page with the newest epoch.",
  },
  after: {
    ...wholeNumber({ name: "after", min: 0, max: NO_BOUND, default: 0 }),
    example: 2,
    description: "Number of the last change that you have; 0: begin with the first.",
  },
  changesLimit: {
    ...wholeNumber({ name: "limit", min: 1, max: 1000, default: 200 }),
    example: 2,
    description: "Changes in an answer, at most 1,000.",
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
    example: "cobalt",
    description:
      "Part of a name, a vote account or an identity: at least two characters (code points) " +
      "after trimming. Case does not matter.",
  },
} as const satisfies Record<string, Parameter>;

/** Key of a parameter in {@link PARAMETERS}. */
export type ParameterKey = keyof typeof PARAMETERS;

/**
 * A parameter. `min` and `max`, both included, bound a number or the code points of a text.
 * `schema` takes the parsed value; undefined gives the default.
 */
export interface Parameter {
  name: string;
  in: "path" | "query";
  required?: true;
  code: ErrorCode;
  min?: number;
  max?: number;
  values?: readonly string[];
  /** Whether a number may have a fraction. */
  isFractional?: true;
  /** Of a list with commas between: most values. */
  listMax?: number;
  default?: number | string;
  schema: z.ZodType;
  /** Examples of operations show what comes without it. */
  isLeftOutOfExamples?: true;
  /** A value that the examples' network can answer. */
  example: number | string | readonly string[];
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

function percent<const Name extends string>(name: Name) {
  const schema = z.number().min(0).max(100).optional();
  return {
    name,
    in: "query",
    code: "invalid_parameter",
    min: 0,
    max: 100,
    isFractional: true,
    schema,
  } as const;
}

function oneOf<const Name extends string, const Value extends string>(
  name: Name,
  values: readonly [Value, ...Value[]],
) {
  const schema = z.enum(values).optional();
  return { name, in: "query", code: "invalid_parameter", values, schema } as const;
}

function someOf<const Name extends string, const Value extends string>(
  name: Name,
  values: readonly [Value, ...Value[]],
) {
  const schema = z.array(z.enum(values)).min(1).max(values.length).optional();
  const listMax = values.length;
  return { name, in: "query", code: "invalid_parameter", values, listMax, schema } as const;
}
