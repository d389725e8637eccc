import { LRUCache } from "lru-cache";
import { toVariantEtag, type Answer, type Compression, type Representation } from "../cache/answer.ts";
import type { Variants } from "../cache/variants.ts";

export type ContentCoding = Compression | "identity";

/** Of equal weight, the first is sent. */
const CONTENT_CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];
/** Browsers send some 30 characters. What is longer is not read. */
export const ACCEPT_ENCODING_MAX_CHARACTERS = 256;
/** Below the least weight there is, 0.001: not compressed is what is sent when nothing else is named. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;
/** One member of the list: a coding, and maybe its weight (RFC 9110, 12.4.2 and 12.5.3). */
const MEMBER = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/** Texts of the header: clients of all kinds together send a few dozen. */
const parsed = new LRUCache<string, readonly ContentCoding[]>({ max: 256, memoMethod: parseAcceptEncoding });

/**
 * The representation that the client likes best among those at hand. A client that names no coding gets none: it accepts any
 * (RFC 9110, 12.5.3), but seldom knows. One that refuses even `identity` gets it all the same while nothing else is at hand:
 * a server may disregard what it cannot meet (12.4.1).
 */
export function chooseRepresentation(
  answer: Answer,
  acceptEncoding: string | null,
  variants: Variants,
): Representation {
  if (acceptEncoding === null || !answer.content.varies) return answer;
  const codings = toCodings(acceptEncoding);
  for (const coding of codings) {
    if (coding === "identity") return answer;
    const variant = variants.get(answer, coding);
    if (variant !== undefined) return variant;
    if (coding === codings[0]) variants.want(answer, coding);
  }
  return answer;
}

/** The ETags of all representations that the client accepts, at hand or not. */
export function toAcceptedEtags({ etag, content }: Answer, acceptEncoding: string | null): string[] {
  if (!content.varies) return [etag];
  const codings = acceptEncoding === null ? CONTENT_CODINGS : toCodings(acceptEncoding);
  return codings.map((coding) => (coding === "identity" ? etag : toVariantEtag(etag, coding)));
}

function toCodings(acceptEncoding: string): readonly ContentCoding[] {
  return acceptEncoding.length > ACCEPT_ENCODING_MAX_CHARACTERS ? ["identity"] : parsed.memo(acceptEncoding);
}

/**
 * The codings of ours that an Accept-Encoding allows, the one the client likes best first; none, if it refuses them all.
 * Members that are malformed or not of ours are passed over, and of two for one coding the second.
 */
export function parseAcceptEncoding(header: string): readonly ContentCoding[] {
  const weights = new Map<string, number>();
  for (const member of header.split(",")) {
    const [, name, weight] = MEMBER.exec(member.trim()) ?? [];
    const coding = name?.toLowerCase().replace(/^x-gzip$/, "gzip");
    if (coding !== undefined && !weights.has(coding)) weights.set(coding, Number(weight ?? 1));
  }
  const toWeight = (coding: ContentCoding) =>
    weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
  return CONTENT_CODINGS.filter((coding) => toWeight(coding) > 0).toSorted(
    (one, other) => toWeight(other) - toWeight(one),
  );
}

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
