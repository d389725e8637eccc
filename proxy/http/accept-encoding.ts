import type { Compression } from "../answers/answer.ts";

export type ContentCoding = Compression | "identity";

/** Of equal weight, the first is sent. */
export const CONTENT_CODINGS: readonly ContentCoding[] = ["br", "gzip", "identity"];

/** Browsers send some 30 characters. What is longer is not read. */
export const ACCEPT_ENCODING_MAX_CHARACTERS = 256;
/** Below the least weight there is, 0.001: not compressed is what is sent when nothing else is named. */
const UNNAMED_IDENTITY_WEIGHT = 0.0001;
/** One member of the list: a coding, and maybe its weight (RFC 9110, 12.4.2 and 12.5.3). */
const MEMBER = /^([\w!#$%&'*+.^`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i;

/**
 * The codings of ours that an Accept-Encoding allows, the one the client likes best first; none, if it refuses them all.
 * Members that are malformed or not of ours are passed over, and of two for one coding the second.
 */
export function parseAcceptEncoding(header: string): readonly ContentCoding[] {
  if (header.length > ACCEPT_ENCODING_MAX_CHARACTERS) return ["identity"];
  const weights = new Map<string, number>();
  for (const member of header.split(",")) {
    const [, name, weight] = MEMBER.exec(member.trim()) ?? [];
    if (name === undefined) continue;
    const coding = name.toLowerCase().replace(/^x-gzip$/, "gzip");
    if (!weights.has(coding)) weights.set(coding, Number(weight ?? 1));
  }
  return CONTENT_CODINGS.map((coding) => ({ coding, weight: toWeight(coding, weights) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ coding }) => coding);
}

function toWeight(coding: ContentCoding, weights: ReadonlyMap<string, number>): number {
  return weights.get(coding) ?? weights.get("*") ?? (coding === "identity" ? UNNAMED_IDENTITY_WEIGHT : 0);
}
