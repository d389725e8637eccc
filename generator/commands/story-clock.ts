import type { Clock } from "./clock.ts";

export interface StoryClock extends Clock {
  /** From now on sleeping jumps to its end: as fast as the work in between is done. */
  fastForward(): void;
  /** From a story time on, and not before now, time passes so many times faster than the world's. */
  play(speed: number, from: number): void;
}

/**
 * A clock that tells a story's time. It begins in the world's past, and never tells a time that the world has not reached:
 * a story that catches up goes on at the world's own pace.
 */
export function createStoryClock({ world, startsAt }: { world: Clock; startsAt: number }): StoryClock {
  let speed = 1;
  let isJumping = false;
  let anchor = { story: startsAt, world: world.now() };

  const now = () => Math.min(anchor.story + (world.now() - anchor.world) * speed, world.now());
  const reset = (story: number) => (anchor = { story, world: world.now() });

  return {
    now: () => Math.floor(now()),
    async sleepUntil(time, signal) {
      signal?.throwIfAborted();
      if (isJumping) reset(Math.max(time, now()));
      while (now() < time) await world.sleepUntil(world.now() + Math.max(1, (time - now()) / speed), signal);
    },
    fastForward() {
      reset(now());
      speed = 1;
      isJumping = true;
    },
    play(times, from) {
      reset(Math.max(from, now()));
      speed = times;
      isJumping = false;
    },
  };
}
