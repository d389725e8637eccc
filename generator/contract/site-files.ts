/** The site's files for programs: the types of the OpenAPI document (TypeScript). */
export const CLIENT_TYPES_PATH = "/client.d.ts";
/** A guide for language models. */
export const LLMS_PATH = "/llms.txt";
/** What APIs there are (RFC 9727). */
export const API_CATALOG_PATH = "/.well-known/api-catalog";
/** Whom to tell of a vulnerability (RFC 9116), where a repository is known. */
export const SECURITY_PATH = "/.well-known/security.txt";

/** Media type of the catalog (RFC 9727, section 5.3). */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Files of the site whose names do not tell servers their media types. */
export const SITE_FILE_TYPES: Readonly<Record<string, string>> = {
  // TypeScript has no registered media type, and its extension is that of a video.
  [CLIENT_TYPES_PATH]: "text/plain; charset=utf-8",
  [API_CATALOG_PATH]: API_CATALOG_TYPE,
};
