/** What the reference says beside the operations, in the order of the contents. */
export const SECTIONS = [
  { name: "overview", title: "Overview" },
  { name: "limits", title: "Limits" },
  { name: "caching", title: "Caching" },
  { name: "errors", title: "Errors" },
  { name: "feeds", title: "Feeds" },
  { name: "downloads", title: "Downloads" },
  { name: "changelog", title: "Changelog" },
] as const;

/** The one that needs no name in the address. */
export const OVERVIEW = SECTIONS[0];

export type Section = (typeof SECTIONS)[number];

/** The section of a name; the overview where there is none. */
export function findSection(name: string | undefined): Section {
  return SECTIONS.find((section) => section.name === name) ?? OVERVIEW;
}
