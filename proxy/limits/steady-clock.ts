/**
 * A clock that never goes back: where the given one does, because the machine's time was corrected, this one goes on from
 * where it was. Else a window that began «in the future» would last as long as the correction.
 */
export function createSteadyClock(now: () => number): () => number {
  let last = now();
  let corrections = 0;
  return () => {
    const time = now();
    if (time < last) corrections += last - time;
    last = time;
    return time + corrections;
  };
}
