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
