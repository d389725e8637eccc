/** A snapshot at planning size has some thousands of texts. */
const KEPT_MOST = 8_192;

/** Snapshots repeat nearly all texts; cleaning them again took a third of the fold. */
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
