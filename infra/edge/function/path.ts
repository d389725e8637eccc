/**
 * The path as the proxy would see it, so that both look at one and the same: without dot segments, characters that no path has
 * escaped (https://url.spec.whatwg.org/#path-state), and escapes that nobody needs undone, as h3 does.
 */
export function toPathname(uri: string): string {
  const path = withoutDotSegments(withEscapes(uri.replace(/\\/g, "/")));
  return isDecodable(path) ? path.replace(NEEDLESS_ESCAPES, toCharacter) : path;
}

/** Of characters that mean nothing in a path. Of them h3 undoes escapes, and of no others. */
const NEEDLESS_ESCAPES = /%(?:2[146-9A-E]|3[0-9ABD]|4[0-9A-F]|5[0-9ABDF]|6[1-9A-F]|7[0-9ACE])/gi;

function withEscapes(path: string): string {
  return path.replace(/(?:[^\x21-\x7e]|["<>`{}^])+/g, (text) => {
    try {
      return encodeURIComponent(text);
    } catch {
      // Half of a surrogate pair, which no bytes of UTF-8 are. A function that throws is a 503.
      return "%EF%BF%BD";
    }
  });
}

function withoutDotSegments(path: string): string {
  if (!/\/(?:\.|%2e)/i.test(path)) return path;
  const kept: string[] = [];
  const segments = path.split("/").slice(1);
  segments.forEach((segment, place) => {
    const isTwoDots = /^(?:\.|%2e){2}$/i.test(segment);
    const isDots = isTwoDots || /^(?:\.|%2e)$/i.test(segment);
    if (isTwoDots) kept.pop();
    if (!isDots) kept.push(segment);
    else if (place === segments.length - 1) kept.push("");
  });
  return "/" + kept.join("/");
}

function isDecodable(path: string): boolean {
  try {
    // Its value is read: a bundler takes a call for its exception alone for needless.
    return decodeURI(path) !== "";
  } catch {
    return false;
  }
}

function toCharacter(escaped: string): string {
  return String.fromCharCode(parseInt(escaped.slice(1), 16));
}
