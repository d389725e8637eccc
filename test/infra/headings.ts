/** What a link names the headings of a document by, as GitHub does. */
export function readHeadings(document: string): Set<string> {
  const titles = [...document.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title ?? "");
  const toSlug = (title: string) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-");
  return new Set(titles.map(toSlug));
}
