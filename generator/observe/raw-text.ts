import { RAW_TEXT_MAX } from "../entries/entry.ts";

/** A stranger's text as it is, cut to the length an entry keeps. A surrogate left alone is replaced: it has no UTF-8. */
export function toRawText(text: string): string {
  return text.slice(0, RAW_TEXT_MAX).toWellFormed();
}

/** {@link toRawText} of a string; null for anything else. */
export function toRawTextOrNull(value: unknown): string | null {
  return typeof value === "string" ? toRawText(value) : null;
}
