/** Where the site keeps the types of the OpenAPI document. */
export const CLIENT_TYPES_PATH = "/client.d.ts";

/** Files of the site whose names do not tell servers their media types. */
export const SITE_FILE_TYPES: Readonly<Record<string, string>> = {
  // TypeScript has no registered media type, and its extension is that of a video.
  [CLIENT_TYPES_PATH]: "text/plain; charset=utf-8",
};
