import { toVisibleJson } from "../../generator/contract/strangers-text.ts";

export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of the proxy's log. `error` is what was caught, as it was thrown. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  error?: unknown;
  /** What a machine reads beside the message; units stand in the names. */
  fields?: LogFields;
}

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

export type Log = (entry: LogEntry) => void;

interface LogOptions {
  write: (line: string) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Lines below this level are left out. */
  level: LogLevel;
  /** Takes secrets out of a text. */
  redact?: (text: string) => string;
  /** On every line, for example the number of the process. */
  always?: LogFields;
}

/** Equal complaints within this time become one line and a count. */
export const REPEAT_MILLISECONDS = 60_000;
/** Different complaints told in that time; what a stranger can make differ must not fill a disk. */
export const COMPLAINTS_MAX = 200;

/** A log whose size nobody outside decides. */
export interface BoundedLog {
  log: Log;
  /** Tells how often the complaints of the last minute were repeated: to be called before the process ends. */
  flush: () => void;
}

/**
 * Writes a line of JSON for each entry. Complaints (warnings and errors) with equal messages are told once a minute, with
 * `repeated`, how often they were left out meanwhile; of different ones no more than 200 a minute. Entries of level `info`
 * are changes of state, or access lines that the operator asked for: they are all told.
 */
export function createLog({ write, now, level, redact, always = {} }: LogOptions): BoundedLog {
  const least = LOG_LEVELS.indexOf(level);
  const told = new Map<string, { entry: LogEntry; at: number; repeated: number }>();
  let leftOut = 0;

  function tell(entry: LogEntry): void {
    write(toLogLine({ ...entry, fields: { ...always, ...entry.fields } }, now(), redact));
  }

  /** Forgets what was told a minute ago or more, and tells what came of it. A clock set back must not silence the log. */
  function forget(isOver: (age: number) => boolean): void {
    for (const [key, { entry, at, repeated }] of told) {
      if (!isOver(now() - at)) break;
      told.delete(key);
      if (repeated > 0) tell({ level: entry.level, message: entry.message, fields: { repeated } });
    }
    if (leftOut > 0 && told.size < COMPLAINTS_MAX) {
      tell({ level: "warn", message: "more complaints than are logged", fields: { leftOut } });
      leftOut = 0;
    }
  }

  function complain(entry: LogEntry): void {
    const key = `${entry.level} ${entry.message}`;
    const earlier = told.get(key);
    if (earlier !== undefined) earlier.repeated += 1;
    else if (told.size >= COMPLAINTS_MAX) leftOut += 1;
    else {
      told.set(key, { entry: { level: entry.level, message: entry.message }, at: now(), repeated: 0 });
      tell(entry);
    }
  }

  return {
    log(entry) {
      if (LOG_LEVELS.indexOf(entry.level) < least) return;
      forget((age) => age >= REPEAT_MILLISECONDS || age < 0);
      if (entry.level === "info") tell(entry);
      else complain(entry);
    },
    flush: () => forget(() => true),
  };
}

/** Characters of one text in a line; the rest is counted. A stack with its causes fits. */
export const TEXT_MAX_CHARACTERS = 8_192;
/** Causes that are told with an error: what a client is told is seldom what went wrong. */
const CAUSES_MAX = 4;

/**
 * The entry as one line of JSON: log collectors read lines, and a stack trace must not become many entries. Whatever is in
 * its texts, the line is printable and bounded, and secrets are taken out of it.
 */
export function toLogLine({ level, message, error, fields }: LogEntry, now: number, redact = asItIs): string {
  const show = (text: string) => cut(redact(text));
  const line = {
    time: new Date(now).toISOString(),
    level,
    message: show(message),
    ...mapTexts(fields ?? {}, show),
    ...(error !== undefined && { error: show(describe(error)) }),
  };
  return `${toVisibleJson(JSON.stringify(line))}\n`;
}

function cut(text: string): string {
  if (text.length <= TEXT_MAX_CHARACTERS) return text;
  return `${text.slice(0, TEXT_MAX_CHARACTERS)}… (${text.length - TEXT_MAX_CHARACTERS} more characters)`;
}

function mapTexts(fields: NonNullable<LogEntry["fields"]>, show: (text: string) => string) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? show(value) : value]),
  );
}

function asItIs(text: string): string {
  return text;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = [error.stack ?? error.message];
  for (let { cause } = error; cause instanceof Error && lines.length <= CAUSES_MAX; cause = cause.cause)
    lines.push(`caused by ${String(cause)}`);
  return lines.join("\n");
}

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
