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

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
