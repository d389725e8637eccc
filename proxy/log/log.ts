import { LOG_LEVELS, type Log, type LogEntry, type LogFields, type LogLevel } from "./entry.ts";
import { toLogLine } from "./log-line.ts";

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
