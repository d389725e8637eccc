/**
 * Tells the time as HTTP does (RFC 9110, 5.6.7), made once a second.
 *
 * @param now milliseconds since the epoch
 */
export function createHttpDate(now: () => number): () => string {
  let second = NaN;
  let text = "";
  return () => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      text = new Date(current * 1000).toUTCString();
    }
    return text;
  };
}
