import { subscribe } from "node:diagnostics_channel";

export interface CountedCall {
  host: string;
  method: string;
  at: number;
}

interface CountedCalls {
  calls: CountedCall[];
  /** Milliseconds; only sleeping passes time. */
  timer: () => number;
  sleep: (milliseconds: number) => Promise<void>;
  pass: (milliseconds: number) => void;
}

const TEN_SECONDS = 10_000;

/**
 * Its clock stands during a call, then jumps to the next
 * alarm: hours of paced calls take seconds, in the real order.
 */
export function createCountedCalls(): CountedCalls {
  const calls: CountedCall[] = [];
  let alarms: { at: number; ring: () => void }[] = [];
  let now = 0;
  let underWay = 0;

  function leap(): void {
    const [next] = alarms.sort((one, other) => one.at - other.at);
    if (underWay > 0 || next === undefined) return;
    alarms = alarms.slice(1);
    now = Math.max(now, next.at);
    next.ring();
    setImmediate(leap);
  }

  function end(): void {
    underWay -= 1;
    setImmediate(leap);
  }

  subscribe("undici:request:create", (message) => {
    const { origin, body } = (message as { request: { origin: string; body: unknown } }).request;
    const { method } = JSON.parse(String(body)) as { method: string };
    calls.push({ host: new URL(origin).hostname, method, at: now });
    underWay += 1;
  });
  for (const channel of ["undici:request:trailers", "undici:request:error"])
    subscribe(channel, end);

  return {
    calls,
    timer: () => now,
    sleep: (milliseconds) =>
      new Promise((ring) => {
        alarms.push({ at: now + milliseconds, ring });
        setImmediate(leap);
      }),
    pass: (milliseconds) => void (now += milliseconds),
  };
}

export function findMost(calls: readonly CountedCall[]): { ofMethod: number; ofAll: number } {
  const byEndpoint = Map.groupBy(calls, ({ host }) => host);
  const byMethod = Map.groupBy(calls, ({ host, method }) => `${host} ${method}`);
  return {
    ofMethod: mostWithin([...byMethod.values()]),
    ofAll: mostWithin([...byEndpoint.values()]),
  };
}

function mostWithin(groups: readonly CountedCall[][]): number {
  let most = 0;
  for (const group of groups) {
    let first = 0;
    for (const [last, { at }] of group.entries()) {
      while ((group[first]?.at ?? at) <= at - TEN_SECONDS) first += 1;
      most = Math.max(most, last - first + 1);
    }
  }
  return most;
}
