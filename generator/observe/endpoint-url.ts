/** An address of the outside world, its secrets apart. */
export interface EndpointUrl {
  /** What messages and entries call it: the origin. */
  origin: string;
  /** Where to send requests; without user and password. */
  target: URL;
  headers: Record<string, string>;
  /** A server on this machine, which is one's own. */
  isLocal: boolean;
  /** Takes the secrets of the address out of a text that a stranger may have written them into. */
  redact: (text: string) => string;
}

/** Parts shorter than this (`v1`, `api`) are no secrets, and taking them out would garble messages. */
const SECRET_LENGTH_MIN = 6;

/**
 * Takes an http(s) address apart.
 * @param what names the setting in the error, which never repeats the address: it may hold a secret
 */
export function parseEndpointUrl(address: string, what: string): EndpointUrl {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new Error(`${what} is not an http or https URL`);
  const secrets = findSecrets(url);
  const headers: Record<string, string> = {};
  if (url.username !== "" || url.password !== "") {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers["authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
  }
  const target = new URL(url);
  target.username = "";
  target.password = "";
  target.hash = "";
  return {
    origin: url.origin,
    target,
    headers,
    isLocal: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname),
    redact: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, "…"), text),
  };
}

/** Every part of the address that a message could repeat, longest first so that none is cut by a part of itself. */
function findSecrets(url: URL): string[] {
  const parts = [
    url.username,
    url.password,
    ...url.pathname.split("/"),
    ...[...url.searchParams.entries()].flatMap(([key, value]) => [key, value]),
  ];
  const whole = [url.pathname + url.search, url.pathname, url.search.slice(1)];
  return [...parts.flatMap(toSpellings), ...whole]
    .filter((part) => part.length >= SECRET_LENGTH_MIN)
    .sort((a, b) => b.length - a.length);
}

function toSpellings(part: string): string[] {
  try {
    return [part, decodeURIComponent(part)];
  } catch {
    // A stray percent sign: the part as written is its only spelling.
    return [part];
  }
}
