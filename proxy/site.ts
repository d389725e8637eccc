import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { SITE_FILE_TYPES } from "../generator/contract/site-files.ts";
import { SITE_ASSETS_FOLDER, SITE_CACHE } from "../generator/contract/site-headers.ts";
import { SITE_PATHS } from "../generator/contract/site-pages.ts";
import { PAGE_HEADERS, represent, type Answer } from "./answer.ts";

/** The files and pages of the site. */
export interface Site {
  find(path: string): Answer | null;
  /** Whether a missing path gets a page instead of JSON. */
  isPage(path: string): boolean;
}

const INDEX_PATH = "/index.html";
const PAGE_PATHS: ReadonlySet<string> = new Set(SITE_PATHS);
/** Never pages, in any case. `/api` itself is one. */
const NO_PAGE = /^\/(?:api\/|(?:feeds|exports|badges|pages|healthz|readyz|metrics)(?:\/|$))/i;
const FILE = /\.[^/]*$/;

/** Whether a directory holds a built site. */
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

/** @param files by path; none: a CDN has them, and only its missing pages come here */
export function createSite(files: ReadonlyMap<string, Uint8Array>): Site {
  const served = new Map([...files].map(([path, body]) => [path, toFile(path, Buffer.from(body))]));
  return {
    find: (path) =>
      path === INDEX_PATH ? null : (served.get(PAGE_PATHS.has(path) ? INDEX_PATH : path) ?? null),
    isPage: (path) => !NO_PAGE.test(path) && !FILE.test(path),
  };
}

function toFile(path: string, body: Buffer): Answer {
  const contentType =
    SITE_FILE_TYPES[path] ??
    TYPES[path.slice(path.lastIndexOf(".") + 1)] ??
    "application/octet-stream";
  // Names of assets hold a hash of their content.
  const cacheControl = path.startsWith(`/${SITE_ASSETS_FOLDER}/`)
    ? SITE_CACHE.asset
    : SITE_CACHE.page;
  return represent(body, { fixedHeaders: PAGE_HEADERS, cacheControl, contentType });
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
