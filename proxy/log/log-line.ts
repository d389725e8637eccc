import { toVisibleJson } from "../../generator/contract/strangers-text.ts";
import type { LogEntry } from "./entry.ts";

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
