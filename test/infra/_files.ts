import { readFileSync } from "node:fs";

export const ROOT = new URL("../../", import.meta.url);

export function read(file: string): string {
  return readFileSync(new URL(file, ROOT), "utf8");
}

export const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** A document's headings, as GitHub's links name them. */
export function readHeadings(document: string): Set<string> {
  const titles = [...document.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title ?? "");
  const toSlug = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-");
  return new Set(titles.map(toSlug));
}
