import type { Clock } from "../../generator/service/clock.ts";

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
  let jumped = 0;
  let anchor = { story: startsAt, world: world.now() };

  const now = () => Math.min(anchor.story + (world.now() - anchor.world) * speed, world.now());
  const reset = (story: number) => (anchor = { story, world: world.now() });
  const jump = (time: number) => {
    const from = now();
    reset(time);
    jumped += now() - from;
  };

  return {
    now: () => Math.floor(now()),
    // Not faster than the world while the story plays, or a call's deadline would be over before its answer can come; but
    // what is jumped over has passed, or each call budget would be used up in the first moments.
    timer: () => world.timer() + jumped,
    async sleepUntil(time, signal) {
      signal?.throwIfAborted();
      if (isJumping) jump(Math.max(time, now()));
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
