import { SITE_ASSETS_FOLDER, SITE_CACHE } from "../../generator/contract/site-headers.ts";

/** Assets have the hash of their content in their name; all else keeps its name when it changes. */
export function toCacheControl(path: string): string {
  return path.startsWith(`/${SITE_ASSETS_FOLDER}/`) ? SITE_CACHE.asset : SITE_CACHE.page;
}

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/x-icon",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
};

/** By the name's end. What is not known is bytes, which no browser runs or shows. */
export function toContentType(path: string): string {
  return TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
