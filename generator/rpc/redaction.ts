import { toPlainLine } from "../contract/strangers-text.ts";

/**
 * Shortest part of a path, name of a parameter or user that counts as a secret. Shorter ones (`v1`,
 * `api`) are none, and removing them would garble messages.
 */
const NAME_LENGTH_MIN = 6;
/** Shortest password or value of a query that counts as a secret. */
const VALUE_LENGTH_MIN = 4;
/** A run of this many characters of a secret is removed too: it may be echoed cut short. */
const FRAGMENT_LENGTH = 8;

const TEXT_LENGTH_MAX = 400;

/**
 * Returns a function that replaces every secret of an address in a text by `…`, also a part of 8
 * characters of one, in any usual spelling, backwards, in hexadecimal digits or in Base64. It then
 * cuts the text to `lengthMax` UTF-16 code units: cutting first could leave a part of a secret.
 */
export function createRedactor(url: URL, lengthMax = TEXT_LENGTH_MAX): (text: string) => string {
  const secrets = [...new Set(findSecrets(url))];
  const usual = secrets.flatMap(toSpellings).flatMap(toSpellings);
  const spellings = new Set([...usual, ...secrets.flatMap(toDisguises)]);
  const fragments = new Set([...spellings].map(toLowerCase).flatMap(toFragments));
  const lengths = [...new Set([...fragments].map(({ length }) => length))].sort((a, b) => b - a);
  return (text) => hide(text, fragments, lengths).slice(0, lengthMax);
}

/** @param lengths of the fragments, longest first */
function hide(text: string, fragments: ReadonlySet<string>, lengths: readonly number[]): string {
  const searched = toLowerCase(text);
  let [visible, hiddenUpTo] = ["", 0];
  for (let at = 0; at < text.length; at += 1) {
    const found = lengths.find((length) => fragments.has(searched.slice(at, at + length)));
    const end = found === undefined ? 0 : at + found;
    if (end > 0 && at >= hiddenUpTo) visible += "…";
    hiddenUpTo = Math.max(hiddenUpTo, end);
    if (at >= hiddenUpTo) visible += text.charAt(at);
  }
  return visible;
}

/** Of ASCII letters, so that a text keeps its length. */
function toLowerCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function toFragments(spelling: string): string[] {
  if (spelling === "") return [];
  const count = Math.max(1, spelling.length - FRAGMENT_LENGTH + 1);
  return Array.from({ length: count }, (_, start) =>
    spelling.slice(start, start + FRAGMENT_LENGTH),
  );
}

/** Decodes percent-encoded parts that are UTF-8, and leaves others. */
export function toDecoded(part: string): string {
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

/**
 * A stranger may echo a secret so that no eye reads it, but any program does. What is shorter than
 * a fragment has no disguise, which would be found in any text.
 */
function toDisguises(secret: string): string[] {
  if (secret.length < FRAGMENT_LENGTH) return [];
  const bytes = Buffer.from(secret);
  // Base64 of a longer text spells a secret in three ways, and its first and last digits in more.
  const inBase64 = [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64url");
    return digits.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    Array.from(secret).reverse().join(""),
    bytes.toString("hex"),
    ...inBase64,
    ...inBase64.map((digits) => digits.replaceAll("-", "+").replaceAll("_", "/")),
  ];
}

function toHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
