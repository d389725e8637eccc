/** A shorter text is no secret, and taking it out wherever it occurs would leave nothing to read. */
const SECRET_MIN_CHARACTERS = 4;

/**
 * Takes addresses that may hold keys or passwords out of texts: whole, as the URL parser writes them, and by the parts in
 * which a key can stand (user, password, path, query), for a library's error seldom repeats an address whole. An address that
 * has none of these stays: it tells which endpoint failed.
 */
export function createRedaction(addresses: readonly string[]): (text: string) => string {
  const secrets = new Set(addresses.flatMap(toSecrets).flatMap(toSpellings));
  // The longest first: a part of an address that is replaced before it would leave the rest standing.
  const longestFirst = [...secrets]
    .filter(({ length }) => length >= SECRET_MIN_CHARACTERS)
    .sort((one, other) => other.length - one.length);
  return (text) => longestFirst.reduce((shown, secret) => shown.replaceAll(secret, "(not shown)"), text);
}

function toSecrets(address: string): string[] {
  if (!URL.canParse(address)) return [address];
  const { href, origin, username, password, pathname, search, searchParams } = new URL(address);
  if (href === `${origin}/`) return [];
  const parts = [...pathname.split("/"), ...searchParams.values()].filter(isLikeKey);
  return [address, href, username, password, search, ...parts];
}

/** Words of a path such as `mainnet` stand in other texts too. */
function isLikeKey(part: string): boolean {
  return part.length >= 16 || (part.length >= 6 && /\d/.test(part));
}

/** The text as it stands in an address, and as it was meant. */
function toSpellings(text: string): string[] {
  try {
    return [text, decodeURIComponent(text)];
  } catch (error) {
    if (error instanceof URIError) return [text];
    throw error;
  }
}
