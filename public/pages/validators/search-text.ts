/** As the API has it (contract/search.ts), whose parser stays there. */
export const SEARCH_MIN_CODE_POINTS = 2;
export const SEARCH_MAX_CODE_POINTS = 100;

/** What is asked of the search for a text that was typed; null: too short to ask, or longer than any name. */
export function toSearched(text: string): string | null {
  const searched = text.normalize("NFC").trim();
  const length = Array.from(searched).length;
  return length >= SEARCH_MIN_CODE_POINTS && length <= SEARCH_MAX_CODE_POINTS ? searched : null;
}
