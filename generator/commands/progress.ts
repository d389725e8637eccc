/** Fewer entries fold too fast to report. */
const ENTRIES_MIN = 500;
const QUIET_MILLISECONDS = 60_000;

interface Progress {
  network: string;
  folded: number;
  total: number;
}

interface Logged {
  folded: number;
  tenth: number;
  /** Milliseconds, monotonic. */
  at: number;
  from: { folded: number; at: number };
}

/** Logs each tenth of a fold, and that it goes on, once a minute. */
export function createProgressLog(options: {
  timer: () => number;
  say: (line: string) => void;
  entriesMin?: number;
}) {
  const { timer, say, entriesMin = ENTRIES_MIN } = options;
  const logged = new Map<string, Logged>();
  return (progress: Progress): void => {
    const { network, folded, total } = progress;
    if (total < entriesMin) return;
    const now = timer();
    const last = logged.get(network);
    const isOnward = last !== undefined && last.folded < folded;
    const before = isOnward ? last : { tenth: 0, at: now, from: { folded: folded - 1, at: now } };
    const tenth = Math.floor((folded * 10) / total);
    const isNews = tenth > before.tenth || now - before.at >= QUIET_MILLISECONDS;
    logged.set(network, { ...before, folded, ...(isNews && { tenth, at: now }) });
    if (isNews)
      say(describeProgress(progress, (now - before.from.at) / (folded - before.from.folded)));
  };
}

function describeProgress({ network, folded, total }: Progress, millisecondsEach: number): string {
  const parts = [`${network}: ${folded} of ${total} entries folded`];
  if (folded < total && millisecondsEach > 0)
    parts.push(
      `${(1000 / millisecondsEach).toFixed(0)} entries/s`,
      `about ${toDuration((total - folded) * millisecondsEach)} left`,
    );
  return parts.join(" · ");
}

function toDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
