import { LRUCache } from "lru-cache";
import { toVariantEtag, type Answer, type Compression } from "../answer.ts";
import type { Variants } from "../cache/variants.ts";

type ContentCoding = Compression | "identity";

/** The first wins at equal weights. */
const CONTENT_CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];
/** Browsers send some 30 characters; longer headers are ignored. */
export const ACCEPT_ENCODING_MAX_CHARACTERS = 256;
/** Below 0.001, the least weight a header can give. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;
/** A coding with an optional weight (RFC 9110, 12.4.2 and 12.5.3). */
const MEMBER = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

const parsed = new LRUCache<string, readonly ContentCoding[]>({
  max: 256,
  memoMethod: parseAcceptEncoding,
});

/**
 * No Accept-Encoding: identity, since such clients seldom
 * decompress. Who refuses it gets it where there is no variant.
 */
export function chooseRepresentation(
  answer: Answer,
  acceptEncoding: string | undefined,
  variants: Variants,
) {
  if (acceptEncoding === undefined || !answer.content.varies) return answer;
  const codings = toCodings(acceptEncoding);
  for (const coding of codings) {
    if (coding === "identity") return answer;
    const variant = variants.get(answer, coding);
    if (variant !== undefined) return variant;
    if (coding === codings[0]) variants.want(answer, coding);
  }
  return answer;
}

/**
 * The coding to wait for, of a client that refuses the plain
 * answer. Our nginx does: it would keep the plain one.
 */
export function toAwaitedCoding(acceptEncoding: string | undefined): Compression | null {
  const codings = acceptEncoding === undefined ? [] : toCodings(acceptEncoding);
  const [coding = "identity"] = codings;
  return coding === "identity" || codings.includes("identity") ? null : coding;
}

export function toAcceptedEtags(
  { etag, content }: Answer,
  acceptEncoding: string | undefined,
): string[] {
  if (!content.varies) return [etag];
  const codings = acceptEncoding === undefined ? CONTENT_CODINGS : toCodings(acceptEncoding);
  return codings.map((coding) => (coding === "identity" ? etag : toVariantEtag(etag, coding)));
}

function toCodings(acceptEncoding: string): readonly ContentCoding[] {
  return acceptEncoding.length > ACCEPT_ENCODING_MAX_CHARACTERS
    ? ["identity"]
    : parsed.memo(acceptEncoding);
}

/**
 * The client's favourite first. Ignores malformed and
 * unknown members, and a coding's second mention.
 */
export function parseAcceptEncoding(header: string): readonly ContentCoding[] {
  const weights = new Map<string, number>();
  for (const member of header.split(",")) {
    const [, name, weight] = MEMBER.exec(member.trim()) ?? [];
    const coding = name?.toLowerCase().replace(/^x-gzip$/, "gzip");
    if (coding !== undefined && !weights.has(coding)) weights.set(coding, Number(weight ?? 1));
  }
  const toWeight = (coding: ContentCoding) =>
    weights.get(coding) ??
    weights.get("*") ??
    (coding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
  const allowed = CONTENT_CODINGS.filter((coding) => toWeight(coding) > 0);
  return allowed.toSorted((one, other) => toWeight(other) - toWeight(one));
}

/**
 * An ETag of a list (RFC 9110, 8.8.3) with the commas before it. Linear: its parts cannot overlap.
 */
const NEXT_TAG = /[ \t,]*(W\/)?("[^"]*")[ \t]*(?=,|$)/y;

/**
 * The first named ETag that is ours. Compares weakly
 * (13.1.2): a CDN that compresses makes ETags weak.
 */
export function findHeldEtag(ifNoneMatch: string, etags: readonly string[]): string | null {
  if (ifNoneMatch.trim() === "*") return etags[0] ?? null;
  return readTags(ifNoneMatch).find(({ etag }) => etags.includes(etag))?.etag ?? null;
}

/** Compares strongly (13.1.1): a weak ETag matches nothing. */
export function isMatched(ifMatch: string, etags: readonly string[]): boolean {
  return (
    ifMatch.trim() === "*" ||
    readTags(ifMatch).some(({ etag, isWeak }) => !isWeak && etags.includes(etag))
  );
}

function* readTags(list: string): IteratorObject<{ etag: string; isWeak: boolean }, undefined> {
  const next = new RegExp(NEXT_TAG);
  for (let found = next.exec(list); found !== null; found = next.exec(list)) {
    const [, weak, etag = ""] = found;
    yield { etag, isWeak: weak !== undefined };
  }
}
