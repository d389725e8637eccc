import { isMeant, kindOf, type Kill } from "./kills.ts";
import type { Generator } from "./processes.ts";
import { startRecordingProxy, type StoreRequest } from "./recording-proxy.ts";

/** A process that was killed. */
export interface Life {
  requests: StoreRequest[];
  /** Whether it came to where it was to be killed; one that did not was killed all the same. */
  isMet: boolean;
  /** Lets the request take effect that was held, if one was, and ends what stood before the store. */
  release(): Promise<void>;
}

interface LifeOptions {
  kill: Kill;
  /** Of the S3 server. */
  endpoint: string;
  /** Starts it, with the address of its store. */
  start: (endpoint: string) => Generator;
  /** About what it needs to observe and to publish once. */
  workMilliseconds: number;
}

/** Who is to be killed at a request has so many times the time that observing and publishing took at first. */
const PATIENCE = 3;
/** Who has not asked for anything after so long never will. */
const STARTING_MILLISECONDS = 60_000;

/**
 * Lets a process live until it is killed.
 * @throws {Error} when it ended by itself
 */
export async function liveAndDie({ kill, endpoint, start, workMilliseconds }: LifeOptions): Promise<Life> {
  const released = Promise.withResolvers<true>();
  const end = { isHit: false, isMet: false };
  const die = (isMet: boolean) => {
    if (!end.isHit) Object.assign(end, { isHit: true, isMet });
    generator.kill();
  };
  const startClock = () =>
    "afterShare" in kill
      ? setTimeout(() => die(true), kill.afterShare * workMilliseconds)
      : setTimeout(() => die(false), PATIENCE * workMilliseconds);
  // Counted from the first request: to start may take longer than the work, where others use the machine too.
  let clock = setTimeout(() => die(false), STARTING_MILLISECONDS);
  const isDue = (request: StoreRequest) => !end.isHit && "blow" in kill && isMeant(kill, request, proxy.requests);
  const proxy = await startRecordingProxy({
    target: endpoint,
    async letPass(request) {
      if (request.ordinal === 1) {
        clearTimeout(clock);
        clock = startClock();
      }
      if (!isDue(request) || !("blow" in kill)) return true;
      if (kill.blow !== "before it was done" && kill.blow !== "late") return true;
      die(true);
      return kill.blow === "late" && released.promise;
    },
    onPhase(request) {
      if (isDue(request) && "blow" in kill && kill.blow === request.phase) die(true);
    },
  });
  const generator = start(proxy.url);
  const code = await generator.ended;
  clearTimeout(clock);
  const release = async () => {
    released.resolve(true);
    await proxy.close();
  };
  // A command may be over before it came there; one that failed is a fault.
  if (code !== null && code !== 0) {
    await release();
    throw new Error(`a process that was to be killed ended with ${code}: ${generator.output()}`);
  }
  return { requests: proxy.requests, isMet: end.isMet, release };
}

/** A generator that goes on in the stores of those that are killed. */
export interface Rival {
  requests: StoreRequest[];
  /** From its first request to its first status: milliseconds. */
  worked: Promise<number>;
  /** Ends it as an operator would. Gives what was wrong with it. */
  stop(): Promise<string[]>;
}

export async function startRival({ endpoint, start }: Pick<LifeOptions, "endpoint" | "start">): Promise<Rival> {
  const first = Promise.withResolvers<number>();
  const status = Promise.withResolvers<number>();
  const proxy = await startRecordingProxy({
    target: endpoint,
    letPass() {
      first.resolve(Date.now());
      return Promise.resolve(true);
    },
    onPhase(request) {
      if (kindOf(request) === "status" && request.phase === "answered") status.resolve(Date.now());
    },
  });
  const generator = start(proxy.url);
  const toFault = (code: number | null) =>
    `a generator beside the killed ones ended with ${code}: ${generator.output().trim()}`;
  const work = async () => (await status.promise) - (await first.promise);
  const worked = Promise.race([work(), generator.ended.then((code) => Promise.reject(new Error(toFault(code))))]);
  // Who does not wait for it learns from stop() how it ended.
  worked.catch(() => undefined);
  return {
    requests: proxy.requests,
    worked,
    async stop() {
      const code = await generator.stop();
      await proxy.close();
      return code === 0 ? [] : [toFault(code)];
    },
  };
}
