const NAME_MAX_CODE_POINTS = 80;
const REASON_MAX_CODE_POINTS = 512;
/** Room for what each of four endpoints answers, 400 code points each. */
const LINE_MAX_CODE_POINTS = 2_000;
const URL_MAX_CHARACTERS = 256;

/**
 * Characters that show as nothing: control and format characters (bidi, zero-width, the joiners of
 * emoji), private use, lone surrogates, line separators, noncharacters, and letters without a shape
 * (default ignorable, and the blank of Braille).
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Invisible characters that a terminal skips within a sequence: they neither begin, end nor cancel
 * it. They are removed first, so that they cannot hide one.
 */
const INERT = new RegExp(String.raw`(?![\x07\x18\x1a\x1b\x80-\x9f])${INVISIBLE.source}`, "gu");

/**
 * Sequences that a terminal obeys and does not show (ECMA-48 §5), begun by ESC or a C1 control: a
 * title or link up to its end, a command with its parameters even if it is cut, and any other
 * escape. Of a title without an end only the beginning is removed, because the text after it may be
 * someone else's.
 */
const TERMINAL_SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x18\x1a\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`(?:\x1b\[|\x9b)[\x20-\x3f]*[\x40-\x7e]?`,
    String.raw`\x1b(?:[\x20-\x2f]+[\x30-\x7e]|[\x30-\x5fcl-o|}~])`,
  ].join("|"),
  "g",
);

const BLANKS = /[\t\n\v\f\r\u0085\u2028\u2029\p{Zs}]+/gu;

/**
 * Cleans a text for logs, terminals and status.json: one line in NFC, trimmed, without terminal
 * sequences or invisible characters, cut to `codePointsMax`.
 */
export function toPlainLine(raw: string, codePointsMax = LINE_MAX_CODE_POINTS): string {
  // Line breaks become blanks first; removed as invisible characters, they would join two words.
  const visible = toVisible(raw.replaceAll(BLANKS, " "));
  return cut(visible.replaceAll(BLANKS, " ").trim(), codePointsMax);
}

/**
 * Cleans the name of a validator, cut to 80 code points; null: no name, or nothing visible is left.
 */
export function toName(raw: string | null): string | null {
  return raw === null ? null : toTextOrNull(cut(toVisible(raw).trim(), NAME_MAX_CODE_POINTS));
}

/**
 * Cleans an operator's reason into one line, cut to 512 code points; null: nothing visible is left.
 */
export function toReason(raw: string): string | null {
  return toTextOrNull(toPlainLine(raw, REASON_MAX_CODE_POINTS));
}

/** Normalises a URL; null: not a URL, another scheme, with credentials, or over 256 characters. */
export function toUrl(raw: string | null, schemes: readonly ("https:" | "http:")[]): string | null {
  if (raw === null || raw.length > URL_MAX_CHARACTERS || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  const allowed =
    (schemes as readonly string[]).includes(url.protocol) &&
    url.username === "" &&
    url.password === "";
  return allowed && url.href.length <= URL_MAX_CHARACTERS ? url.href : null;
}

/** Escapes invisible characters of a JSON text as `\uXXXX`, which keeps its meaning. */
export function toVisibleJson(json: string): string {
  return json.replaceAll(INVISIBLE, (character) =>
    Array.from({ length: character.length }, (_, index) =>
      toEscape(character.charCodeAt(index)),
    ).join(""),
  );
}

/**
 * Removes what cannot be seen. Composing to NFC comes last: before, a combining mark could change
 * the letter that ends a terminal sequence.
 */
function toVisible(raw: string): string {
  return raw
    .replaceAll(INERT, "")
    .replaceAll(TERMINAL_SEQUENCES, "")
    .replaceAll(INVISIBLE, "")
    .normalize("NFC");
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
