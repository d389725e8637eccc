import { LRUCache } from "lru-cache";
import { toVariantEtag, type Answer, type Compression, type Representation } from "../cache/answer.ts";
import type { Variants } from "../cache/variants.ts";

type ContentCoding = Compression | "identity";

/** Of equal weight, the first is sent. */
const CONTENT_CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];
/** Browsers send some 30 characters. What is longer is not read. */
export const ACCEPT_ENCODING_MAX_CHARACTERS = 256;
/** Below the least weight there is, 0.001: not compressed is what is sent when nothing else is named. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;
/** One member of the list: a coding, and maybe its weight (RFC 9110, 12.4.2 and 12.5.3). */
const MEMBER = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

const parsed = new LRUCache<string, readonly ContentCoding[]>({ max: 256, memoMethod: parseAcceptEncoding });

/** Who names no coding gets none: it accepts any, but seldom knows. Who refuses even `identity` gets it while there is no other. */
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

export function toAcceptedEtags({ etag, content }: Answer, acceptEncoding: string | null): string[] {
  if (!content.varies) return [etag];
  const codings = acceptEncoding === null ? CONTENT_CODINGS : toCodings(acceptEncoding);
  return codings.map((coding) => (coding === "identity" ? etag : toVariantEtag(etag, coding)));
}

function toCodings(acceptEncoding: string): readonly ContentCoding[] {
  return acceptEncoding.length > ACCEPT_ENCODING_MAX_CHARACTERS ? ["identity"] : parsed.memo(acceptEncoding);
}

/** The one the client likes best first. Members that are malformed or not of ours are passed over, and of two for one the second. */
export function parseAcceptEncoding(header: string): readonly ContentCoding[] {
  const weights = new Map<string, number>();
  for (const member of header.split(",")) {
    const [, name, weight] = MEMBER.exec(member.trim()) ?? [];
    const coding = name?.toLowerCase().replace(/^x-gzip$/, "gzip");
    if (coding !== undefined && !weights.has(coding)) weights.set(coding, Number(weight ?? 1));
  }
  const toWeight = (coding: ContentCoding) =>
    weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
  const allowed = CONTENT_CODINGS.filter((coding) => toWeight(coding) > 0);
  return allowed.toSorted((one, other) => toWeight(other) - toWeight(one));
}

/** Of a list (RFC 9110, 8.8.3), with the commas before it. Linear: no part can begin with what the part before it may take. */
const NEXT_TAG = /[ \t,]*(W\/)?("[^"]*")[ \t]*(?=,|$)/y;

/** The first of our ETags that is named; null: none. Compared weakly (13.1.2): a CDN that compresses makes ETags weak. */
export function findHeldEtag(ifNoneMatch: string, etags: readonly string[]): string | null {
  if (ifNoneMatch.trim() === "*") return etags[0] ?? null;
  return readTags(ifNoneMatch).find(({ etag }) => etags.includes(etag))?.etag ?? null;
}

/** Compared strongly (13.1.1): a weak one matches nothing. */
export function isMatched(ifMatch: string, etags: readonly string[]): boolean {
  return ifMatch.trim() === "*" || readTags(ifMatch).some(({ etag, isWeak }) => !isWeak && etags.includes(etag));
}

function* readTags(list: string): IteratorObject<{ etag: string; isWeak: boolean }, undefined> {
  const next = new RegExp(NEXT_TAG);
  for (let found = next.exec(list); found !== null; found = next.exec(list)) {
    const [, weak, etag = ""] = found;
    yield { etag, isWeak: weak !== undefined };
  }
}
