/** One line of the proxy's log. `error` is what was caught, as it was thrown. */
export interface LogEntry {
  level: "info" | "warn" | "error";
  message: string;
  error?: unknown;
}

export type Log = (entry: LogEntry) => void;

/** The entry as one line of JSON: log collectors read lines, and a stack trace must not become many entries. */
export function toLogLine({ level, message, error }: LogEntry, now: number): string {
  const line = {
    time: new Date(now).toISOString(),
    level,
    message,
    ...(error !== undefined && { error: describe(error) }),
  };
  return `${JSON.stringify(line)}\n`;
}

/** Causes that are told with an error: what a client is told is seldom what went wrong. */
const CAUSES_MAX = 4;

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const lines = [error.stack ?? error.message];
  for (let { cause } = error; cause instanceof Error && lines.length <= CAUSES_MAX; cause = cause.cause)
    lines.push(`caused by ${String(cause)}`);
  return lines.join("\n");
}
