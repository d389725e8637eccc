/** Longest name published, in code points. */
const NAME_MAX_CODE_POINTS = 80;
/** Longest reason published, in code points. */
const REASON_MAX_CODE_POINTS = 512;
/** Longest line told, in code points: what each of four endpoints said, in 400. */
export const LINE_MAX_CODE_POINTS = 2_000;
/** Longest address published, in characters. */
const URL_MAX_CHARACTERS = 256;

/**
 * Control and format characters (bidi, zero-width, the joiners of emoji), private use, lone surrogates, line separators,
 * code points that are no characters, and letters that show as nothing (default ignorable, and the blank of Braille).
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Those among them that neither begin, end nor call off what a terminal obeys: it does so also with them in between. */
const INERT = new RegExp(String.raw`(?![\x07\x18\x1a\x1b\x80-\x9f])${INVISIBLE.source}`, "gu");

/**
 * What a terminal obeys and does not show (ECMA-48 §5), begun by ESC or by a C1 control: a title or link with all up to its
 * end; a command with its parameters, also one that was cut; any other escape that terminals know. Of a title without an end
 * only the beginning: else it would take with it what others said after it.
 */
const TERMINAL_SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]?`,
    String.raw`\x1b(?:[\x20-\x2f]+[\x30-\x7e]|[\x30-\x5fcl-o|}~])`,
  ].join("|"),
  "g",
);

/** Line breaks, tabs and blanks of every width. */
const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029\p{Zs}]+/gu;

/**
 * A text that a stranger may have written, as one line that shows what it is and steers nothing: no terminal sequence, nothing
 * that cannot be seen, no line break, NFC, trimmed. It is its own line.
 */
export function toPlainLine(raw: string, codePointsMax = LINE_MAX_CODE_POINTS): string {
  // Between the lines of a text a blank is wanted, not a word made of two.
  const visible = toVisible(raw.replaceAll(BLANKS, " "));
  return cut(visible.replaceAll(BLANKS, " ").trim(), codePointsMax);
}

/** A hostile text as a name (of a validator, a city, a company): what cannot be seen removed, NFC, trimmed, 80 code points at most; null: nothing is left. */
export function toName(raw: string | null): string | null {
  return raw === null ? null : toTextOrNull(cut(toVisible(raw).trim(), NAME_MAX_CODE_POINTS));
}

/** Why an operator ruled as he did, as a line of 512 code points at most; null: nothing is left. */
export function toReason(raw: string): string | null {
  return toTextOrNull(toPlainLine(raw, REASON_MAX_CODE_POINTS));
}

/** A hostile text as an address of one of the schemes, without credentials; null: it is none. */
export function toUrl(raw: string | null, schemes: readonly ("https:" | "http:")[]): string | null {
  if (raw === null || raw.length > URL_MAX_CHARACTERS || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  const allowed = (schemes as readonly string[]).includes(url.protocol) && url.username === "" && url.password === "";
  return allowed && url.href.length <= URL_MAX_CHARACTERS ? url.href : null;
}

/** JSON for a terminal or a log: the same values, with all that cannot be seen written as `\uXXXX`. */
export function toVisibleJson(json: string): string {
  return json.replaceAll(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) => toEscape(character.charCodeAt(index))).join(""),
  );
}

/** Composed only at the end: a mark that follows must not change the letter that ends a sequence. */
function toVisible(raw: string): string {
  return raw.replaceAll(INERT, "").replaceAll(TERMINAL_SEQUENCES, "").replaceAll(INVISIBLE, "").normalize("NFC");
}

function cut(text: string, codePointsMax: number): string {
  if (text.length <= codePointsMax) return text;
  return Array.from(text).slice(0, codePointsMax).join("").trim();
}

function toTextOrNull(text: string): string | null {
  return text === "" ? null : text;
}

function toEscape(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}
