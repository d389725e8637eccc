/**
 * The forms that objects have: folder, ending and content type. Objects are stored uncompressed,
 * because servers negotiate the encoding.
 */
export const FORMS = {
  document: {
    folder: "api/v1",
    extension: "json",
    contentType: "application/json; charset=utf-8",
    holds: "json",
  },
  /** The Atom Syndication Format, RFC 4287. */
  atomFeed: {
    folder: "feeds",
    extension: "atom",
    contentType: "application/atom+xml; charset=utf-8",
    holds: "text",
  },
  /** https://www.jsonfeed.org/version/1.1/; its media type has no parameters. */
  jsonFeed: {
    folder: "feeds",
    extension: "json",
    contentType: "application/feed+json",
    holds: "json",
  },
  /** RFC 4180, which has the parameter `header` in its media type. */
  csv: {
    folder: "exports",
    extension: "csv",
    contentType: "text/csv; charset=utf-8; header=present",
    holds: "text",
  },
  /**
   * https://www.iana.org/assignments/media-types/application/vnd.apache.parquet; it is compressed
   * inside.
   */
  parquet: {
    folder: "exports",
    extension: "parquet",
    contentType: "application/vnd.apache.parquet",
    holds: "bytes",
  },
  badge: { folder: "badges", extension: "svg", contentType: "image/svg+xml", holds: "text" },
  picture: { folder: "badges", extension: "png", contentType: "image/png", holds: "bytes" },
  /** The address of a page differs from its key (site-pages.ts). */
  page: {
    folder: "pages",
    extension: "html",
    contentType: "text/html; charset=utf-8",
    holds: "text",
  },
  sitemap: {
    folder: "pages",
    extension: "xml",
    contentType: "application/xml; charset=utf-8",
    holds: "text",
  },
} as const satisfies Record<string, FormRow>;

interface FormRow {
  /** Top folder in the public store, without outer slashes. */
  folder: string;
  extension: string;
  contentType: string;
  holds: "json" | "text" | "bytes";
}

/** Key of a form in {@link FORMS}. */
export type Form = keyof typeof FORMS;

/** Every top folder of the public store, each once. */
export const FOLDERS: readonly string[] = [
  ...new Set(Object.values(FORMS).map(({ folder }) => folder)),
];

/** Returns the form of a key by its folder and ending; null: none has both. */
export function formOf(key: string): Form | null {
  for (const [form, { folder, extension }] of Object.entries(FORMS))
    if (key.startsWith(`${folder}/`) && key.endsWith(`.${extension}`)) return form as Form;
  return null;
}
