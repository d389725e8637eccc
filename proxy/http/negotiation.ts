import { LRUCache } from "lru-cache";
import { toVariantEtag, type Answer, type Representation } from "../answers/answer.ts";
import type { Variants } from "../answers/compress.ts";
import {
  ACCEPT_ENCODING_MAX_CHARACTERS,
  CONTENT_CODINGS,
  parseAcceptEncoding,
  type ContentCoding,
} from "./accept-encoding.ts";

/** Which representation of an answer a client gets, by its Accept-Encoding. */
export interface Negotiation {
  /**
   * The representation the client likes best among those at hand. A client that names no coding gets none: it accepts any
   * (RFC 9110, 12.5.3), but seldom knows. One that refuses even `identity` gets it all the same while nothing else is at
   * hand: a server may disregard what it cannot meet (12.4.1).
   */
  choose(answer: Answer, acceptEncoding: string | null): Representation;
  /** The ETags of all representations that the client accepts, at hand or not. */
  toAcceptedEtags(answer: Answer, acceptEncoding: string | null): string[];
}

/** Texts of the header remembered: clients of all kinds together send a few dozen. */
const REMEMBERED_MAX = 256;
const ONLY_IDENTITY: readonly ContentCoding[] = ["identity"];

export function createNegotiation(variants: Variants): Negotiation {
  const remembered = new LRUCache<string, readonly ContentCoding[]>({ max: REMEMBERED_MAX });

  function toCodings(acceptEncoding: string): readonly ContentCoding[] {
    if (acceptEncoding.length > ACCEPT_ENCODING_MAX_CHARACTERS) return ONLY_IDENTITY;
    const known = remembered.get(acceptEncoding);
    if (known !== undefined) return known;
    const codings = parseAcceptEncoding(acceptEncoding);
    remembered.set(acceptEncoding, codings);
    return codings;
  }

  return {
    choose(answer, acceptEncoding) {
      if (acceptEncoding === null || !answer.varies) return answer;
      const codings = toCodings(acceptEncoding);
      for (const coding of codings) {
        if (coding === "identity") return answer;
        const variant = variants.get(answer, coding);
        if (variant !== undefined) return variant;
        if (coding === codings[0]) variants.want(answer, coding);
      }
      return answer;
    },
    toAcceptedEtags(answer, acceptEncoding) {
      if (!answer.varies) return [answer.etag];
      const codings = acceptEncoding === null ? CONTENT_CODINGS : toCodings(acceptEncoding);
      return codings.map((coding) => (coding === "identity" ? answer.etag : toVariantEtag(answer, coding)));
    },
  };
}
