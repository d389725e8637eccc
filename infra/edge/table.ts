import { STATUS_CODES } from "node:http";
import { base58 } from "@scure/base";
import { CACHE_CLASSES } from "../../generator/contract/cache.ts";
import { OPERATIONS, type Operation } from "../../generator/contract/operations.ts";
import { ERROR_CODES, MESSAGES, type ErrorCode } from "../../generator/contract/errors.ts";
import { FORMS } from "../../generator/contract/forms.ts";
import { CONTENT_TYPE, OBJECTS } from "../../generator/contract/objects.ts";
import { PARAMETERS, type Parameter, type ParameterKey } from "../../generator/contract/parameters.ts";
import { CORS_HEADERS, PREFLIGHT_HEADERS, SECURITY_HEADERS } from "../../generator/contract/response-headers.ts";

/**
 * What the edge function knows of the API. Made from the contract when the function is built, and part of its source: few
 * bytes count.
 */
export interface EdgeTable {
  /**
   * The addresses of the API whose answer is an object, as templates: `/api/v1/epochs/{epoch}/events?network`. In braces and
   * behind the question mark stand keys of `parameters`.
   */
  objects: readonly string[];
  /** Those that only the proxy can answer. */
  live: readonly string[];
  parameters: Readonly<Record<ParameterKey, EdgeParameter>>;
  /** Where the documents lie, with a slash before and behind it; the network follows. */
  documents: string;
  errors: Readonly<Record<EdgeErrorCode, { status: number; description: string }>>;
  /** Told where nothing lies. */
  nothing: string;
  /** Methods that every path takes, as in Allow. */
  methods: string;
  /** Of every answer. */
  headers: EdgeHeaders;
  /** Of errors beside them. */
  errorHeaders: EdgeHeaders;
  /** Of answers to OPTIONS beside them. */
  preflightHeaders: EdgeHeaders;
  /** 256 to the power of 0, 1, … 32 in Base58. */
  powers: readonly string[];
}

/** Errors that the edge answers itself. */
const EDGE_ERRORS = [
  "invalid_network",
  "invalid_parameter",
  "invalid_pubkey",
  "method_not_allowed",
  "not_found",
] as const satisfies ErrorCode[];

export type EdgeErrorCode = (typeof EDGE_ERRORS)[number];

/** Headers as CloudFront takes them: names in lower case. */
export type EdgeHeaders = Readonly<Record<string, { value: string }>>;

/** A parameter, and which values it takes. */
export interface EdgeParameter {
  name: string;
  /** Of the error that is answered for any other value. */
  code: EdgeErrorCode;
  kind: "choice" | "number" | "pubkey" | "text";
  required?: true;
  values?: readonly string[];
  min?: number;
  max?: number;
  /** As it would be written in a query. */
  default?: string;
}

const PUBKEY_BYTES = 32;
const METHODS = PREFLIGHT_HEADERS["access-control-allow-methods"];

/** The table of the API as it is. The limit is the one that answers tell of; what a client has left only the proxy knows. */
export function makeTable({ rateLimitPerMinute }: { rateLimitPerMinute: number }): EdgeTable {
  const endpoints = Object.entries<Operation>(OPERATIONS);
  const limits = {
    "x-ratelimit-limit": String(rateLimitPerMinute),
    "ratelimit-policy": `"default";q=${rateLimitPerMinute};w=60`,
  };
  return {
    objects: endpoints.filter(([key]) => key in OBJECTS).map(([, endpoint]) => toTemplate(endpoint)),
    live: endpoints.filter(([key]) => !(key in OBJECTS)).map(([, endpoint]) => toTemplate(endpoint)),
    parameters: Object.fromEntries(
      Object.entries<Parameter>(PARAMETERS).map(([key, parameter]) => [key, toParameter(parameter)]),
    ) as EdgeTable["parameters"],
    documents: `/${FORMS.document.folder}/`,
    errors: Object.fromEntries(EDGE_ERRORS.map((code) => [code, toError(code)])) as EdgeTable["errors"],
    nothing: MESSAGES.not_found,
    methods: METHODS,
    headers: toHeaders({ ...CORS_HEADERS, ...SECURITY_HEADERS, ...limits }),
    errorHeaders: toHeaders({ "cache-control": CACHE_CLASSES.error, "content-type": CONTENT_TYPE }),
    preflightHeaders: toHeaders({ ...PREFLIGHT_HEADERS, allow: METHODS }),
    powers: Array.from({ length: PUBKEY_BYTES + 1 }, (_, power) => toPower(power)),
  };
}

/** Two parameters may have one name: what stands for them in a template is the key. */
function toTemplate({ path, parameters }: Operation): string {
  const inPath = parameters.filter((key) => PARAMETERS[key].in === "path");
  const inQuery = parameters.filter((key) => PARAMETERS[key].in === "query");
  const fill = (filled: string, key: ParameterKey) => filled.replace(`{${PARAMETERS[key].name}}`, `{${key}}`);
  return `${inPath.reduce(fill, path)}?${inQuery.join("&")}`;
}

function toParameter(parameter: Parameter): EdgeParameter {
  const { name, code, values, min, max, required } = parameter;
  return {
    name,
    code: toEdgeCode(code),
    kind: toKind(parameter),
    ...(required && { required }),
    ...(values && { values }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(parameter.default !== undefined && { default: String(parameter.default) }),
  };
}

function toEdgeCode(code: ErrorCode): EdgeErrorCode {
  const found = EDGE_ERRORS.find((candidate) => candidate === code);
  if (found === undefined)
    throw new Error(`The edge answers no ${code}: add it to EDGE_ERRORS in infra/edge/table.ts.`);
  return found;
}

function toKind({ values, min, max }: Parameter): EdgeParameter["kind"] {
  if (values !== undefined) return "choice";
  if (max !== undefined) return "number";
  return min === undefined ? "pubkey" : "text";
}

function toError(code: ErrorCode) {
  const status = ERROR_CODES[code];
  return { status, description: STATUS_CODES[status] ?? "" };
}

function toHeaders(headers: Readonly<Record<string, string>>): EdgeHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
}

/** The first byte is 1, and so the text begins with no digit that is zero. */
function toPower(power: number): string {
  return base58.encode(Uint8Array.from({ length: power + 1 }, (_, place) => (place === 0 ? 1 : 0)));
}
