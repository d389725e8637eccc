import { toPlainLine } from "../contract/strangers-text.ts";

/** An endpoint's address, split into what may be logged and what may not. */
export interface EndpointUrl {
  /** Scheme, host and port: the part that labels show. */
  origin: string;
  /** Address for requests, without user and password. It may hold a secret. */
  target: URL;
  headers: Record<string, string>;
  /** Whether it is on this machine, where no budget applies. */
  isLocal: boolean;
  /** Removes every secret of the address from a text; see {@link createRedactor}. */
  redact: (text: string) => string;
}

/**
 * Parses the address of an endpoint. User and password become an Authorization header.
 * @param what names the setting in the error, which never shows the address
 * @throws {Error} unless it is an http or https URL
 */
export function parseEndpointUrl(address: string, what: string): EndpointUrl {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new Error(`${what} is not an http or https URL`);
  const target = new URL(url);
  target.username = "";
  target.password = "";
  target.hash = "";
  return {
    origin: url.origin,
    target,
    headers: toHeaders(url),
    isLocal: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname),
    redact: createRedactor(url),
  };
}

function toHeaders({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${toDecoded(username)}:${toDecoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}

/**
 * Shortest part of a path, name of a parameter or user that counts as a secret. Shorter ones (`v1`,
 * `api`) are none, and removing them would garble messages.
 */
const NAME_LENGTH_MIN = 6;
/** Shortest password or value of a query that counts as a secret. */
const VALUE_LENGTH_MIN = 4;

const TEXT_LENGTH_MAX = 400;

/**
 * Returns a function that replaces every secret of an address in a text by `…`, in any usual
 * spelling, and then cuts the text to `lengthMax` UTF-16 code units. It cuts last, because cutting
 * first could leave a part of a secret.
 */
export function createRedactor(url: URL, lengthMax = TEXT_LENGTH_MAX): (text: string) => string {
  const spellings = [...new Set(findSecrets(url).flatMap(toSpellings).flatMap(toSpellings))]
    .filter((spelling) => spelling !== "")
    // Longest first, because a secret may be part of another.
    .sort((a, b) => b.length - a.length);
  if (spellings.length === 0) return (text) => text.slice(0, lengthMax);
  const pattern = new RegExp(
    spellings.map((spelling) => escapeForPattern(spelling)).join("|"),
    "gi",
  );
  return (text) => text.replaceAll(pattern, "…").slice(0, lengthMax);
}

function toDecoded(part: string): string {
  return part.replaceAll(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function findSecrets({ username, password, pathname, search, hash }: URL): string[] {
  const pairs = search
    .slice(1)
    .split("&")
    .map((pair) => pair.split("="));
  const names = [username, ...pathname.split("/"), ...pairs.map(([name = ""]) => name)];
  const values = [password, hash.slice(1), ...pairs.map(([, ...value]) => value.join("="))];
  const credentials = `${toDecoded(username)}:${toDecoded(password)}`;
  return [
    ...names.flatMap(toMeanings).filter((name) => name.length >= NAME_LENGTH_MIN),
    ...values.flatMap(toMeanings).filter((value) => value.length >= VALUE_LENGTH_MIN),
    ...(credentials === ":" ? [] : [credentials, Buffer.from(credentials).toString("base64")]),
  ];
}

function toMeanings(part: string): string[] {
  return [part, toDecoded(part), toDecoded(part.replaceAll("+", " "))];
}

/**
 * Returns how messages may spell a secret. Spellings may nest, so the caller applies this twice.
 */
function toSpellings(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    encodeURI(secret.toWellFormed()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    // The spelling in messages of errors.
    toPlainLine(secret, Infinity),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
    toHtml(secret),
  ];
}

function escapeForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function toHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
