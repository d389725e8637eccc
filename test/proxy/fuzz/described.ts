import { createHash } from "node:crypto";
import type { FuzzRequest } from "./requests.ts";
import { createSchemaCheck } from "./json-schema.ts";

/** What came back, its body unpacked. */
export interface FuzzAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Bytes as they were sent. */
  sent: Buffer;
  /** The same without their Content-Encoding. */
  body: Buffer;
}

interface OpenApi {
  paths: Record<string, { get: { responses: Record<string, DescribedResponse> } }>;
}

interface DescribedResponse {
  $ref?: string;
  content?: Record<string, unknown>;
}

/** Names what is wrong with an answer; empty: nothing. */
type FindFaults = (request: FuzzRequest, answer: FuzzAnswer) => string[];

const ON_EVERY_ANSWER = {
  "access-control-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "content-security-policy": /^default-src 'none'/,
  "cross-origin-resource-policy": "cross-origin",
};
/** Words of what the proxy is made of, and of where it lies. */
const INSIDES =
  /node_modules|node:|\.ts\b|\bat [\w.]+ \(|\b(?:h3|srvx|zod)\b|HPE_|\/home\/|\/tmp\/|file:\/\//;
const ERROR = ["components", "schemas", "Error"];

/**
 * Checks status, headers and body of answers by the
 * OpenAPI document, and what holds for all of them.
 */
export function createFaultFinder(document: OpenApi): FindFaults {
  const misfits = createSchemaCheck(document);
  const etags = new Map<string, string>();

  return (request, answer) => {
    const { status, headers, sent, body } = answer;
    const faults = findHeaderFaults(answer);
    const isBodiless = status === 204 || status === 304 || request.method === "HEAD";
    if (isBodiless)
      return sent.length === 0 ? faults : [...faults, "a body where there must be none"];
    if (headers["content-length"] !== String(sent.length))
      faults.push("Content-Length is not the body's length");
    const text = body.toString();
    const mediaType = String(headers["content-type"]).split(";")[0] ?? "";
    const value = /[/+]json$/.test(mediaType) ? parseJson(text) : text;
    if (value === undefined) return [...faults, `a body that is not JSON: ${text.slice(0, 80)}`];
    const pointer = toSchemaPointer(document, request, { status, mediaType });
    if (pointer === null) return [...faults, `status ${status} with ${mediaType} is not described`];
    faults.push(...misfits(pointer, value));
    if (status >= 400 && INSIDES.test(withoutRequest(text, request)))
      faults.push(`tells of its insides: ${text}`);
    if (status === 200) faults.push(...findEtagFaults(etags, request, answer));
    return faults;
  };
}

function findHeaderFaults({ status, headers }: FuzzAnswer): string[] {
  const faults: string[] = [];
  const expectHeader = (name: string, wanted: string | RegExp) => {
    const value = String(headers[name]);
    const fits = typeof wanted === "string" ? value === wanted : wanted.test(value);
    if (!fits) faults.push(`${name} is ${value}`);
  };
  for (const [name, wanted] of Object.entries(ON_EVERY_ANSWER)) expectHeader(name, wanted);
  for (const name of ["server", "x-powered-by"]) expectHeader(name, "undefined");
  if (status >= 500) faults.push(`status ${status}`);
  if (status >= 400) expectHeader("cache-control", "no-store");
  if (status >= 400) expectHeader("content-type", /^application\/json/);
  if (status === 405 || status === 204) expectHeader("allow", "GET, HEAD, OPTIONS");
  return faults;
}

/** An ETag is a hash of the bytes: every process gives the same. */
function findEtagFaults(
  etags: Map<string, string>,
  { target }: FuzzRequest,
  { headers, body }: FuzzAnswer,
): string[] {
  const etag = String(headers["etag"]);
  const name = `${createHash("sha256").update(body).digest("base64url")} ${String(headers["content-encoding"])}`;
  const before = etags.get(name);
  etags.set(name, etag);
  if (
    !/^"[\x21\x23-\x7e]+"$/.test(etag) &&
    !target.includes("/healthz") &&
    !target.includes("/readyz")
  )
    return [`the ETag ${etag} is not strong and quoted`];
  return before === undefined || before === etag
    ? []
    : [`the ETag of equal bytes was ${before}, is ${etag}`];
}

/** JSON pointer to the schema of the answer's body; null: not described. */
function toSchemaPointer(
  { paths }: OpenApi,
  { method, target }: FuzzRequest,
  { status, mediaType }: { status: number; mediaType: string },
): string[] | null {
  const path = findPath(Object.keys(paths), target);
  const responses = path === undefined ? undefined : paths[path]?.get.responses;
  if (path === undefined || responses === undefined || method !== "GET") {
    const isHealth = /\/(?:healthz|readyz)(?:\?|$)/.test(target) && status === 200;
    return isHealth ? [] : status >= 400 && status < 500 ? ERROR : null;
  }
  const response = responses[status];
  if (response === undefined) return null;
  // Only errors are shared between operations, and they are JSON.
  if (response.$ref !== undefined)
    return [...response.$ref.slice(2).split("/"), "content", mediaType, "schema"];
  const isDescribed = mediaType in (response.content ?? {});
  return isDescribed
    ? ["paths", path, "get", "responses", String(status), "content", mediaType, "schema"]
    : null;
}

/** The described path of a target: with dots resolved (RFC 3986, 5.2.4), also of a whole URL. */
function findPath(paths: readonly string[], target: string): string | undefined {
  const url = target.startsWith("/") ? `http://a${target}` : target;
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: url };
  return paths.find((path) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", "\\.")}$`).test(pathname),
  );
}

/** Messages repeat a little of what was asked: that may be anything. */
function withoutRequest(text: string, { target }: FuzzRequest): string {
  return target.includes("%") ? text.replaceAll(/not \\".*\\"/g, "") : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
