/** The slowest line that is waited for: 100 kB/s. */
const BYTES_PER_MILLISECOND_MIN = 100;

/** How long a body of this many bytes may be on its way, in milliseconds. */
export function toTransferMilliseconds(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MILLISECOND_MIN);
}

/** When an operation is given up. */
export interface Deadline {
  /** Aborts then. */
  signal: AbortSignal;
  /** Puts it off by what this many bytes may take on the wire. */
  allow: (bytes: number) => void;
  /** Calls it off: the operation is over. */
  end: () => void;
}

/** A deadline so many milliseconds from now, which can be put off until it is there. It keeps no process alive. */
export function startDeadline(milliseconds: number): Deadline {
  const controller = new AbortController();
  let more = 0;
  let timer = start(milliseconds);

  function start(span: number): NodeJS.Timeout {
    return setTimeout(() => {
      if (more > 0) {
        timer = start(more);
        more = 0;
      } else {
        controller.abort();
      }
    }, span).unref();
  }

  return {
    signal: controller.signal,
    allow: (bytes) => void (more += toTransferMilliseconds(bytes)),
    end: () => clearTimeout(timer),
  };
}
