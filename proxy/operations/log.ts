import { toVisibleJson } from "../../generator/contract/strangers-text.ts";
import { createRedactor } from "../../generator/rpc/endpoint-address.ts";

export const LOG_LEVELS = ["info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** One line of the proxy's log. `error` is what was caught, as it was thrown; units stand in the names of fields. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  error?: unknown;
  fields?: Readonly<Record<string, string | number | boolean | null>>;
}

export type Log = (entry: LogEntry) => void;

interface LogOptions {
  write: (line: string) => void;
  now: () => number;
  level: LogLevel;
  /** Takes secrets out of what others said; messages and fields are our own. */
  redact?: (text: string) => string;
}

const WINDOW_MILLISECONDS = 60_000;
/** Warnings and errors told in a minute: what a stranger can bring about must not fill a disk. */
export const COMPLAINTS_MAX = 200;

/** Writes a line of JSON for each entry; of warnings and errors no more than 200 a minute, and how many more there were. */
export function createLog({ write, now, level, redact }: LogOptions): Log {
  let windowBegan = -Infinity;
  let complaints = 0;
  const tell = (entry: LogEntry) => write(toLogLine(entry, now(), redact));
  return (entry) => {
    if (LOG_LEVELS.indexOf(entry.level) < LOG_LEVELS.indexOf(level)) return;
    const age = now() - windowBegan;
    // A clock set back must not silence the log.
    if (age >= WINDOW_MILLISECONDS || age < 0) {
      const leftOut = complaints - COMPLAINTS_MAX;
      if (leftOut > 0) tell({ level: "warn", message: "left out further complaints", fields: { leftOut } });
      windowBegan = now();
      complaints = 0;
    }
    if (entry.level !== "info") complaints += 1;
    if (entry.level === "info" || complaints <= COMPLAINTS_MAX) tell(entry);
  };
}

/** Characters of one text in a line; the rest is counted. A stack with its causes fits. */
export const TEXT_MAX_CHARACTERS = 8_192;
/** Causes that are told with an error: what a client is told is seldom what went wrong. */
const CAUSES_MAX = 4;

/** The entry as one line of JSON: whatever is in its texts, it is printable and bounded, and secrets are taken out of errors. */
export function toLogLine(
  { level, message, error, fields }: LogEntry,
  now: number,
  redact = (text: string) => text,
): string {
  const show = (value: unknown) => (typeof value === "string" ? cut(value) : value);
  const told = error === undefined ? {} : { error: redact(describe(error)) };
  const values = Object.entries({ message, ...fields, ...told });
  const shown = Object.fromEntries(values.map(([name, value]) => [name, show(value)]));
  return `${toVisibleJson(JSON.stringify({ time: new Date(now).toISOString(), level, ...shown }))}\n`;
}

function cut(text: string): string {
  if (text.length <= TEXT_MAX_CHARACTERS) return text;
  return `${text.slice(0, TEXT_MAX_CHARACTERS)}… (${text.length - TEXT_MAX_CHARACTERS} more characters)`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = [error.stack ?? error.message];
  for (let { cause } = error; cause instanceof Error && lines.length <= CAUSES_MAX; cause = cause.cause)
    lines.push(`caused by ${String(cause)}`);
  return lines.join("\n");
}

/** Takes what may be a key or a password in these addresses out of a text. */
export function createRedaction(addresses: readonly string[]): (text: string) => string {
  const redactors = addresses
    .filter((address) => URL.canParse(address))
    .map((address) => createRedactor(new URL(address), Infinity));
  return (text) => redactors.reduce((shown, redact) => redact(shown), text);
}
