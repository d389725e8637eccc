import { createRedactor, toDecoded } from "./secrets.ts";

/** An address of the outside world, its secrets apart. */
export interface EndpointUrl {
  /** What messages and entries call it: the origin. */
  origin: string;
  /** Where to send requests; without user and password. */
  target: URL;
  headers: Record<string, string>;
  /** A server on this machine, which is one's own. */
  isLocal: boolean;
  /** Takes the secrets of the address out of a stranger's text, and shortens it. */
  redact: (text: string) => string;
}

/**
 * Takes an http(s) address apart.
 * @param what names the setting in the error, which never repeats the address: it may hold a secret
 */
export function parseEndpointUrl(address: string, what: string): EndpointUrl {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol))
    throw new Error(`${what} is not an http or https URL`);
  const target = new URL(url);
  target.username = "";
  target.password = "";
  target.hash = "";
  return {
    origin: url.origin,
    target,
    headers: toHeaders(url),
    isLocal: /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname),
    redact: createRedactor(url),
  };
}

function toHeaders({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const credentials = `${toDecoded(username)}:${toDecoded(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString("base64")}` };
}
