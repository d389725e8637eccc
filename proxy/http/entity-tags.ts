/**
 * The next entity tag of a list (RFC 9110, 8.8.3), with the commas before it. What follows it must be a comma or the end. The
 * time is linear: no part of the pattern can begin with what the part before it may take.
 */
const NEXT_TAG = /[ \t,]*(W\/)?("[^"]*")[ \t]*(?=,|$)/y;

/**
 * The first of our ETags that an If-None-Match names, or the first of ours if it is `*`; null: none. Compared weakly (13.1.2):
 * a CDN that compresses makes ETags weak.
 */
export function findHeldEtag(ifNoneMatch: string, etags: readonly string[]): string | null {
  if (ifNoneMatch.trim() === "*") return etags[0] ?? null;
  for (const { etag } of readTags(ifNoneMatch)) if (etags.includes(etag)) return etag;
  return null;
}

/** Whether an If-Match names one of our ETags, or is `*`. Compared strongly (13.1.1): a weak one matches nothing. */
export function isMatched(ifMatch: string, etags: readonly string[]): boolean {
  if (ifMatch.trim() === "*") return true;
  return readTags(ifMatch).some(({ etag, isWeak }) => !isWeak && etags.includes(etag));
}

/** The entity tags of a list, up to where it is malformed. */
function* readTags(list: string): IteratorObject<{ etag: string; isWeak: boolean }, undefined> {
  const next = new RegExp(NEXT_TAG);
  for (let found = next.exec(list); found !== null; found = next.exec(list)) {
    const [, weak, etag = ""] = found;
    yield { etag, isWeak: weak !== undefined };
  }
}
