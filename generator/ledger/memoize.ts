/** A snapshot at planning size has some thousands of texts. */
const KEPT_MOST = 8_192;

/**
 * Memoizes a pure function. Snapshots repeat nearly all texts, and cleaning them again took a
 * third of the fold.
 */
export function memoize<Raw, Made>(make: (raw: Raw) => Made): (raw: Raw) => Made {
  const kept = new Map<Raw, { made: Made }>();
  return (raw) => {
    const found = kept.get(raw);
    if (found !== undefined) return found.made;
    if (kept.size >= KEPT_MOST) kept.clear();
    const made = make(raw);
    kept.set(raw, { made });
    return made;
  };
}
