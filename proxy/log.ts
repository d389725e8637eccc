import { toVisibleJson } from "../generator/contract/strangers-text.ts";
import { createRedactor } from "../generator/rpc/redaction.ts";

const LOG_LEVELS = ["info", "warn", "error"] as const;
/** Least first. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** `error` is the value thrown; the names of fields hold their units. */
export interface LogEntry {
  level: LogLevel;
  message: string;
  error?: unknown;
  fields?: Readonly<Record<string, string | number | boolean | null>>;
}

/** Writes an entry if its level is high enough; secrets are removed. */
export type Log = (entry: LogEntry) => void;

type Redact = (text: string) => string;

interface LogOptions {
  write: (line: string) => void;
  now: () => number;
  level: LogLevel;
  /** Takes secrets out of errors; messages and fields are our own. */
  redact?: Redact;
}

const WINDOW_MILLISECONDS = 60_000;
/** Warnings and errors a minute: strangers can cause them, and must not fill a disk. */
export const COMPLAINTS_MAX = 200;

/** Writes JSON lines. Counts the warnings and errors over 200 a minute instead. */
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
      if (leftOut > 0)
        tell({ level: "warn", message: "left out further complaints", fields: { leftOut } });
      windowBegan = now();
      complaints = 0;
    }
    if (entry.level !== "info") complaints += 1;
    if (entry.level === "info" || complaints <= COMPLAINTS_MAX) tell(entry);
  };
}

/** Between two lines about the same trouble. */
const TROUBLE_MILLISECONDS = 60_000;

interface TroubleOptions {
  log: Log;
  /** Milliseconds that never go back. */
  steadyNow: () => number;
}

/** Tells of a trouble once a minute while it lasts, and how often it came since the last line. */
export function createTrouble({ log, steadyNow }: TroubleOptions) {
  let loggedAt = -Infinity;
  let failures = 0;
  return (message: string, error?: unknown): void => {
    failures += 1;
    if (steadyNow() - loggedAt < TROUBLE_MILLISECONDS) return;
    log({ level: "warn", message, error, fields: { failures } });
    loggedAt = steadyNow();
    failures = 0;
  };
}

/** A stack with its causes fits. */
export const TEXT_MAX_CHARACTERS = 8_192;
const CAUSES_MAX = 4;

/** Printable and bounded whatever its texts hold. */
export function toLogLine(
  { level, message, error, fields }: LogEntry,
  now: number,
  redact?: Redact,
): string {
  const line = {
    time: new Date(now).toISOString(),
    level,
    message,
    ...fields,
    ...(error !== undefined && { error: (redact ?? String)(describe(error)) }),
  };
  return `${toVisibleJson(JSON.stringify(line, (_, value: unknown) => cut(value)))}\n`;
}

function cut(text: unknown): unknown {
  if (typeof text !== "string" || text.length <= TEXT_MAX_CHARACTERS) return text;
  return `${text.slice(0, TEXT_MAX_CHARACTERS)}… (${text.length - TEXT_MAX_CHARACTERS} more characters)`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = [error.stack ?? error.message];
  for (
    let { cause } = error;
    cause instanceof Error && lines.length <= CAUSES_MAX;
    cause = cause.cause
  )
    lines.push(`caused by ${String(cause)}`);
  return lines.join("\n");
}

/** Takes keys and passwords of these addresses out of a text. */
export function createRedaction(addresses: readonly string[]): Redact {
  const redactors = addresses
    .filter((address) => URL.canParse(address))
    .map((address) => createRedactor(new URL(address), Infinity));
  return (text) => redactors.reduce((redacted, redact) => redact(redacted), text);
}
