/** A server of Valkey or Redis, and who we are there. Holds a password: never to be logged. */
export interface ValkeyAddress {
  host: string;
  port: number;
  tls: boolean;
  /** undefined: the default user. */
  username: string | undefined;
  /** undefined: none is asked for. */
  password: string | undefined;
  /** Number of the database on the server. */
  database: number;
}

const DEFAULT_PORT = 6379;
const TLS_BY_PROTOCOL = new Map([
  ["redis:", false],
  ["valkey:", false],
  ["rediss:", true],
  ["valkeys:", true],
]);

/**
 * Reads `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, or the same with `rediss:` (TLS), `valkey:` or `valkeys:`; see
 * https://www.iana.org/assignments/uri-schemes/prov/redis. null: it is none. What the scheme does not know is refused, not
 * passed over: an option that does nothing would be taken for one that works.
 */
export function parseValkeyAddress(text: string): ValkeyAddress | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, hostname, port, pathname, search, hash } = new URL(text);
  const tls = TLS_BY_PROTOCOL.get(protocol);
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  if (tls === undefined || hostname === "" || database === undefined || search !== "" || hash !== "") return null;
  const [user, secret] = [decode(username), decode(password)];
  if (user === null || secret === null || (user !== "" && secret === "")) return null;
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? DEFAULT_PORT : Number(port),
    tls,
    username: user || undefined,
    password: secret || undefined,
    database: Number(database),
  };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
