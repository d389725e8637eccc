import { createRedactor, toDecoded } from "./redaction.ts";

/** An endpoint's address, split into what may be logged and what may not. */
export interface EndpointUrl {
  /** Scheme, host and port: the part that labels show. */
  origin: string;
  /** Address for requests, without user and password. It may hold a secret. */
  target: URL;
  headers: Record<string, string>;
  /** Whether it is on this machine, where no budget applies. */
  isLocal: boolean;
  /** Removes every secret of the address from a text; see {@link createRedactor}. */
  redact: (text: string) => string;
}

/**
 * Parses the address of an endpoint. User and password become an Authorization header.
 * @param what names the setting in the error, which never shows the address
 * @throws {Error} unless it is an http or https URL
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
