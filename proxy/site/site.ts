import { hash } from "node:crypto";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { SITE_HEADERS } from "../../generator/contract/site-headers.ts";
import type { Header, Representation } from "../answers/answer.ts";
import { parseAcceptEncoding, type ContentCoding } from "../http/accept-encoding.ts";
import { findHeldEtag } from "../http/entity-tags.ts";
import type { Reply } from "../http/reply.ts";
import { INDEX_PATH, type SiteFiles } from "./files.ts";
import { toCacheControl, toContentType } from "./headers.ts";

/** What is read of a request for a page. */
export interface PageRequest {
  method: string;
  /** As it was sent: no file of the site has a name that needs encoding. */
  path: string;
  acceptEncoding: string | null;
  ifNoneMatch: string | null;
}

/** The site: pages and their files, from memory. */
export interface Site {
  /** null: this belongs to the API, which has its own words for it. */
  answer(request: PageRequest): Reply | null;
}

type SiteFile = Partial<Record<ContentCoding, Representation>> & { identity: Representation };

/** Paths that are never a page, whatever their case. The page `/api` is one, the endpoints below it are not. */
const NO_PAGE = /^\/(?:api\/|(?:feeds|exports|healthz|readyz|metrics)(?:\/|$))/i;
/** A name with an ending is that of a file. */
const FILE = /\.[^/]*$/;
const FIXED_HEADERS: readonly Header[] = Object.entries(SITE_HEADERS);
/** Smaller files fit into one packet with their headers. */
const COMPRESSED_MIN_BYTES = 1_024;

/** Every file compressed beforehand: they are few, and the same for everybody. */
export function createSite(files: SiteFiles): Site {
  const held = new Map([...files].map(([path, body]) => [path, toSiteFile(path, body)]));

  /** The file of a path. Paths that are no file's are pages: which there are, the site itself knows. */
  function find(path: string): SiteFile | undefined {
    if (path !== INDEX_PATH && held.has(path)) return held.get(path);
    return NO_PAGE.test(path) || FILE.test(path) ? undefined : held.get(INDEX_PATH);
  }

  return {
    answer({ method, path, acceptEncoding, ifNoneMatch }) {
      const file = method === "GET" || method === "HEAD" ? find(path) : undefined;
      if (file === undefined) return null;
      const { etag, headers, body } = choose(file, acceptEncoding);
      if (ifNoneMatch !== null && findHeldEtag(ifNoneMatch, [etag]) !== null) {
        const kept = headers.filter(([name]) => !name.startsWith("content-"));
        return { status: 304, fixedHeaders: FIXED_HEADERS, headers: [], moreHeaders: kept, body: null };
      }
      return {
        status: 200,
        fixedHeaders: FIXED_HEADERS,
        headers,
        moreHeaders: [],
        body: method === "HEAD" ? null : body,
      };
    },
  };
}

function choose(file: SiteFile, acceptEncoding: string | null): Representation {
  const codings = acceptEncoding === null ? [] : parseAcceptEncoding(acceptEncoding);
  return codings.map((coding) => file[coding]).find((representation) => representation !== undefined) ?? file.identity;
}

function toSiteFile(path: string, body: Uint8Array): SiteFile {
  const etag = hash("sha256", body, "base64url");
  const represent = (coding: ContentCoding, bytes: Uint8Array): Representation => {
    const tag = coding === "identity" ? `"${etag}"` : `"${etag}-${coding}"`;
    const headers: Header[] = [
      ["etag", tag],
      ["cache-control", toCacheControl(path)],
      ["vary", "Accept-Encoding"],
      ["content-type", toContentType(path)],
      ["content-length", String(bytes.byteLength)],
    ];
    if (coding !== "identity") headers.push(["content-encoding", coding]);
    return { etag: tag, headers, body: bytes };
  };
  const identity = represent("identity", body);
  if (body.byteLength < COMPRESSED_MIN_BYTES || !/^(?:text|image\/svg|application\/json)/.test(toContentType(path)))
    return { identity };
  return { identity, br: represent("br", toBrotli(body)), gzip: represent("gzip", gzipSync(body, { level: 9 })) };
}

/** Quality 9 takes 5 ms for the largest file; 11 takes 30 times as long and saves a twentieth. */
function toBrotli(body: Uint8Array): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}
