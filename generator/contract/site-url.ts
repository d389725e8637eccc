/** Address of the site unless `RUGWATCH_SITE_URL` names another: where the demo serves it. */
export const DEFAULT_SITE_URL = "http://localhost:8080";

/**
 * Returns the address without a slash at its end; null unless it is http or https, without
 * credentials, query or fragment.
 */
export function parseSiteUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  // A bare `?` or `#` is not in `search` and `hash`, so the text is tested.
  if (url.username !== "" || url.password !== "" || /[?#]/.test(text)) return null;
  return url.href.replace(/\/+$/, "");
}
