import { RAW_TEXT_MAX } from "./entry-rows.ts";

/** Longest name published, in code points. */
const NAME_MAX_CODE_POINTS = 80;
/** Longest address published, in characters. */
const URL_MAX_CHARACTERS = 256;

/**
 * Control and format characters (bidi, zero-width, the joiners of emoji), private use, lone surrogates, line separators,
 * code points that are no characters, and letters that show as nothing (default ignorable, and the blank of Braille).
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A hostile text as a name (of a validator, a city, a company): what cannot be seen removed, NFC, trimmed, 80 code points at most; null: nothing is left. */
export function toName(raw: string | null): string | null {
  return raw === null ? null : toSeen(raw, NAME_MAX_CODE_POINTS);
}

/** A text of several words, why an operator ruled as he did: cleaned as a name is, 512 code points at most; null: nothing is left. */
export function toReason(raw: string): string | null {
  // Between the lines of a text a blank is wanted, not a word made of two.
  return toSeen(raw.replaceAll(/\s+/g, " "), RAW_TEXT_MAX);
}

function toSeen(raw: string, codePointsMax: number): string | null {
  const seen = raw.normalize("NFC").replaceAll(INVISIBLE, "").normalize("NFC").trim();
  const text = Array.from(seen).slice(0, codePointsMax).join("").trim();
  return text === "" ? null : text;
}

/** A hostile text as an address of one of the schemes, without credentials; null: it is none. */
export function toUrl(raw: string | null, schemes: readonly ("https:" | "http:")[]): string | null {
  if (raw === null || raw.length > URL_MAX_CHARACTERS || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  const allowed = (schemes as readonly string[]).includes(url.protocol) && url.username === "" && url.password === "";
  return allowed && url.href.length <= URL_MAX_CHARACTERS ? url.href : null;
}
