import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { SITE_ASSETS_FOLDER, SITE_CACHE } from "../generator/contract/site-headers.ts";
import { SITE_PATHS } from "../generator/contract/site-pages.ts";
import { always, PAGE_HEADERS, represent, toVariant, VARIES_MIN_BYTES } from "./answer.ts";
import type { Compression, Representation } from "./answer.ts";
import type { Source } from "./cache/responses.ts";
import { NO_VARIANTS } from "./cache/variants.ts";

export interface Site {
  find(path: string): Source | null;
  /** Whether a missing path gets a page instead of JSON. */
  isPage(path: string): boolean;
}

const INDEX_PATH = "/index.html";
const PAGE_PATHS: ReadonlySet<string> = new Set(SITE_PATHS);
/** Never pages, in any case. `/api` itself is one. */
const NO_PAGE = /^\/(?:api\/|(?:feeds|exports|badges|pages|healthz|readyz|metrics)(?:\/|$))/i;
const FILE = /\.[^/]*$/;

export function isBuiltSite(directory: string): boolean {
  return existsSync(join(directory, INDEX_PATH));
}

/** Reads all files once, so that no request can lead out of the directory. @throws {Error} */
export async function readSiteFiles(directory: string): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries.filter((entry) => entry.isFile())) {
    const path = join(parentPath, name);
    files.set(`/${relative(directory, path).split(sep).join("/")}`, await readFile(path));
  }
  return files;
}

export function createSite(files: ReadonlyMap<string, Uint8Array>): Site {
  const held = new Map([...files].map(([path, body]) => [path, toSource(path, Buffer.from(body))]));
  return {
    find: (path) =>
      path === INDEX_PATH ? null : (held.get(PAGE_PATHS.has(path) ? INDEX_PATH : path) ?? null),
    isPage: (path) => !NO_PAGE.test(path) && !FILE.test(path),
  };
}

function toSource(path: string, body: Buffer): Source {
  const contentType = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  // Names of assets hold a hash of their content.
  const cacheControl = path.startsWith(`/${SITE_ASSETS_FOLDER}/`)
    ? SITE_CACHE.asset
    : SITE_CACHE.page;
  const answer = represent(body, {
    fixedHeaders: PAGE_HEADERS,
    cacheControl,
    contentType,
    varies: true,
  });
  const variants = new Map<Compression, Representation>();
  if (body.byteLength >= VARIES_MIN_BYTES && /^(?:text|image\/svg)/.test(contentType)) {
    // Quality 9 takes 5 ms for the largest file; 11 takes 30 times as long for 5 % less.
    const brotli = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    variants.set("br", toVariant(answer, "br", brotli));
    variants.set("gzip", toVariant(answer, "gzip", gzipSync(body, { level: 9 })));
  }
  return {
    cached: always(answer),
    variants: { ...NO_VARIANTS, get: (_, coding) => variants.get(coding) },
  };
}

/** By extension. */
const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};
