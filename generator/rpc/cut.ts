import { RpcError } from "./error.ts";

/** What ends a request that does not end by itself. */
export interface Cut {
  signal: AbortSignal;
  /** Forgets the timer and the stop, once the request is over. */
  release: () => void;
}

/** The longest that a timer can wait; about 24 days. */
const TIMER_MAX_MILLISECONDS = 2 ** 31 - 1;

/**
 * A signal given when the time is over, with an {@link RpcError} `timeout` as its reason, or when all is stopped, with the
 * stop's own reason. Not `AbortSignal.any`: what it makes stays with a long-lived stop for longer than the request.
 */
export function createCut({ milliseconds, stop }: { milliseconds: number; stop: AbortSignal | undefined }): Cut {
  const controller = new AbortController();
  const onTime = () => end(new RpcError({ kind: "timeout", message: "no answer in time" }));
  const onStop = () => end(stop?.reason);
  const timer = setTimeout(onTime, Math.min(Math.ceil(milliseconds), TIMER_MAX_MILLISECONDS));
  stop?.addEventListener("abort", onStop, { once: true });
  if (stop?.aborted) onStop();

  function end(reason: unknown): void {
    release();
    controller.abort(reason);
  }

  function release(): void {
    clearTimeout(timer);
    stop?.removeEventListener("abort", onStop);
  }

  return { signal: controller.signal, release };
}
