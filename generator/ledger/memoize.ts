/** A snapshot at planning size has some thousands of texts. */
const KEPT_MOST = 8_192;

/** Memoizes a pure function of a value. Snapshots repeat nearly all texts. */
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

/**
 * Memoizes a pure function of an object that nobody changes, for as long as the object lives.
 * Snapshots that refer to the same one share its sections.
 */
export function memoizeObject<Raw extends object, Made>(
  make: (raw: Raw) => Made,
): (raw: Raw) => Made {
  const kept = new WeakMap<Raw, { made: Made }>();
  return (raw) => {
    const found = kept.get(raw);
    if (found !== undefined) return found.made;
    const made = make(raw);
    kept.set(raw, { made });
    return made;
  };
}
