/** Of so many texts what was made of them is kept; a snapshot at planning size has some thousands. */
const KEPT_MOST = 8_192;

/**
 * A pure function that knows what it made of the texts it was given lately. Each snapshot repeats nearly all names, addresses
 * and versions of the one before it, and to clean them again took a third of its fold.
 */
export function remember<Raw, Made>(make: (raw: Raw) => Made): (raw: Raw) => Made {
  const kept = new Map<Raw, { made: Made }>();
  return (raw) => {
    const held = kept.get(raw);
    if (held !== undefined) return held.made;
    if (kept.size >= KEPT_MOST) kept.clear();
    const made = make(raw);
    kept.set(raw, { made });
    return made;
  };
}
