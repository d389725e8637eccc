/** A clock that stands while anything can run, then leaps to whatever is awaited next. */
export interface VirtualTime {
  /** Milliseconds since 1970. */
  now: () => number;
  sleepUntil: (time: number) => Promise<void>;
  /** Runs a task to its end. Only {@link sleepUntil} passes time. */
  play<T>(task: Promise<T>): Promise<T>;
}

interface Alarm {
  time: number;
  ring: () => void;
}

export function createVirtualTime(begin: number): VirtualTime {
  let now = begin;
  const alarms: Alarm[] = [];

  function leap(): void {
    const next = alarms.reduce((earliest, { time }) => Math.min(earliest, time), Infinity);
    if (next === Infinity) throw new Error("the task waits for something that no time brings");
    now = Math.max(now, next);
    const due = alarms.filter(({ time }) => time <= now);
    for (const alarm of due) alarms.splice(alarms.indexOf(alarm), 1);
    for (const { ring } of due) ring();
  }

  return {
    now: () => now,
    sleepUntil: (time) =>
      time <= now
        ? Promise.resolve()
        : new Promise((resolve) => void alarms.push({ time, ring: resolve })),
    async play(task) {
      const isOver = watch(task);
      for (;;) {
        await idle();
        if (isOver()) return task;
        leap();
      }
    },
  };
}

function watch(task: Promise<unknown>): () => boolean {
  let isOver = false;
  const end = () => void (isOver = true);
  task.then(end, end);
  return () => isOver;
}

function idle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
