import { toPlainLine } from "../contract/strangers-text.ts";

export interface EndpointUrl {
  origin: string;
  /** Without user and password. */
  target: URL;
  headers: Record<string, string>;
  isLocal: boolean;
  redact: (text: string) => string;
}

/** @param what names the setting in the error, which never repeats the address */
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

/** Shorter words (`v1`, `api`) are no secrets, and removing them would garble messages. */
const WORD_LENGTH_MIN = 6;
/** Of passwords and values of a query. */
const VALUE_LENGTH_MIN = 4;

const TEXT_LENGTH_MAX = 400;

/** Shortens last: cutting first could leave a part of a secret. */
export function createRedactor(url: URL, lengthMax = TEXT_LENGTH_MAX): (text: string) => string {
  const spellings = [...new Set(findSecrets(url).flatMap(toSpellings).flatMap(toSpellings))]
    .filter((spelling) => spelling !== "")
    // A secret may be part of another.
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
  const words = [username, ...pathname.split("/"), ...pairs.map(([name = ""]) => name)];
  const values = [password, hash.slice(1), ...pairs.map(([, ...value]) => value.join("="))];
  const credentials = `${toDecoded(username)}:${toDecoded(password)}`;
  return [
    ...words.flatMap(toMeanings).filter((word) => word.length >= WORD_LENGTH_MIN),
    ...values.flatMap(toMeanings).filter((value) => value.length >= VALUE_LENGTH_MIN),
    ...(credentials === ":" ? [] : [credentials, Buffer.from(credentials).toString("base64")]),
  ];
}

function toMeanings(part: string): string[] {
  return [part, toDecoded(part), toDecoded(part.replaceAll("+", " "))];
}

/** Spellings may nest: each once more in another. */
function toSpellings(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    encodeURI(secret.toWellFormed()),
    new URLSearchParams([["", secret]]).toString().slice(1),
    // As errors spell it.
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
