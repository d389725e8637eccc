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
  if (raw === null) return null;
  const seen = raw.normalize("NFC").replaceAll(INVISIBLE, "").normalize("NFC").trim();
  const name = Array.from(seen).slice(0, NAME_MAX_CODE_POINTS).join("").trim();
  return name === "" ? null : name;
}

/** A hostile text as an address of one of the schemes, without credentials; null: it is none. */
export function toUrl(raw: string | null, schemes: readonly ("https:" | "http:")[]): string | null {
  if (raw === null || raw.length > URL_MAX_CHARACTERS || !URL.canParse(raw)) return null;
  const url = new URL(raw);
  const allowed = (schemes as readonly string[]).includes(url.protocol) && url.username === "" && url.password === "";
  return allowed && url.href.length <= URL_MAX_CHARACTERS ? url.href : null;
}
