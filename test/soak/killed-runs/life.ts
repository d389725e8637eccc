import type { Generator } from "./processes.ts";
import { tellActivity } from "./kinds.ts";
import { isMeant, type Kill } from "./kills.ts";
import { startRecordingProxy, type StoreRequest } from "./recording-proxy.ts";

/** A process that was killed. */
export interface Life {
  requests: StoreRequest[];
  /** What it was doing when it was killed. */
  activity: string;
  /** Whether it came to where it was to be killed; one that did not was killed all the same. */
  isMet: boolean;
  /** From its start. */
  seconds: number;
  /** Lets the request take effect that was held, if one was, and ends what stood before the store. */
  release(): Promise<void>;
}

export interface LifeOptions {
  kill: Kill;
  /** Of the S3 server. */
  endpoint: string;
  /** Starts it, with the address of its store. */
  start: (endpoint: string) => Generator;
  /** About what it needs to observe and to publish once. */
  workMilliseconds: number;
  /** So long after its first request it is killed all the same. */
  patienceMilliseconds: number;
}

/** Who has not asked for anything after so long never will. */
const STARTING_MILLISECONDS = 60_000;

/**
 * Lets a process live until it is killed.
 * @throws {Error} when it ended by itself
 */
export async function liveAndDie({ kill, start, ...options }: LifeOptions): Promise<Life> {
  const startedAt = Date.now();
  const released = Promise.withResolvers<true>();
  const end = { isHit: false, activity: "over by itself", isMet: false };
  const die = (isMet: boolean) => {
    if (!end.isHit) Object.assign(end, { isHit: true, activity: tellActivity(proxy.requests), isMet });
    generator.kill();
  };
  const startClock = () =>
    "afterShare" in kill
      ? setTimeout(() => die(true), kill.afterShare * options.workMilliseconds)
      : setTimeout(() => die(false), options.patienceMilliseconds);
  // Counted from the first request: to start may take longer than the work, where others use the machine too.
  let clock = setTimeout(() => die(false), STARTING_MILLISECONDS);
  const proxy = await startRecordingProxy({
    target: options.endpoint,
    async letPass(request) {
      if (request.ordinal === 1) {
        clearTimeout(clock);
        clock = startClock();
      }
      if (end.isHit || !("blow" in kill) || !isMeant(kill, request, proxy.requests)) return true;
      if (kill.blow === "before it was done") {
        die(true);
        return false;
      }
      if (kill.blow === "late") {
        die(true);
        return released.promise;
      }
      return true;
    },
    onPhase(request) {
      if (!end.isHit && "blow" in kill && kill.blow === request.phase && isMeant(kill, request, proxy.requests))
        die(true);
    },
  });
  const generator = start(proxy.url);
  const code = await generator.ended;
  clearTimeout(clock);
  const release = async () => {
    released.resolve(true);
    await proxy.close();
  };
  // A command that was over before it came there; one that failed is a fault.
  if (code !== null && code !== 0) {
    await release();
    throw new Error(`a process that was to be killed ended with ${code}: ${generator.output()}`);
  }
  const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
  return { requests: proxy.requests, activity: end.activity, isMet: end.isMet, seconds, release };
}
