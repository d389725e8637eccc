import type { Manifest } from "./manifest.ts";

/** What documents were made of and by which rules: what a manifest says beside the documents. */
export type Provenance = Pick<Manifest, "series" | "foldVersion" | "renderVersion" | "siteUrl" | "journal">;

/**
 * Why a generator must not publish; null: it may. It leaves publishing to a newer one. And when another one has published
 * since its references were counted, then they may lack what that one put back to an older state.
 *
 * @param published what the manifest says now; null: there is none.
 * @param generator `own`: of what it would publish. `expected`: what the manifest said when the references were counted;
 * null: they are all there are.
 */
export function findObstacle(
  published: Provenance | null,
  { own, expected }: { own: Provenance; expected: Provenance | null },
): string | null {
  if (published !== null && published.series > own.series) return "a newer series publishes";
  if (published !== null && isOlderVersion(own, published)) return "a newer version publishes";
  return expected === null || isSame(published, expected) ? null : "another generator has just published";
}

/**
 * Whether the manifest has to be written although no document changed. New versions, a new series, another address of the
 * site and a late entry at once: as long as it does not tell of them, every run looks at all documents. A new position in the journal only when it has come
 * to another UTC hour: each run looks at what was touched since that position, so it may lag a little, but must not lag for
 * days while every observation is refused. A run that finds nothing new in the journal comes to the same answer as the one
 * before it, which has then already written.
 */
export function isManifestDue(published: Provenance | null, own: Provenance): boolean {
  if (published === null || !isOfSameRules(published, own)) return true;
  const { through, digest } = published.journal;
  if (through === own.journal.through) return digest !== own.journal.digest;
  return toHour(through) !== toHour(own.journal.through);
}

/** `2026-11-20/15` of an entry's name, which begins with its day and time. */
function toHour(name: string | null): string | null {
  return name === null ? null : name.slice(0, 13);
}

function isOlderVersion(own: Provenance, published: Provenance): boolean {
  return published.foldVersion > own.foldVersion || published.renderVersion > own.renderVersion;
}

function isSame(one: Provenance | null, other: Provenance): boolean {
  if (one === null || !isOfSameRules(one, other)) return false;
  return one.journal.through === other.journal.through && one.journal.digest === other.journal.digest;
}

function isOfSameRules(one: Provenance, other: Provenance): boolean {
  const isSameVersion = one.foldVersion === other.foldVersion && one.renderVersion === other.renderVersion;
  return one.series === other.series && isSameVersion && one.siteUrl === other.siteUrl;
}
