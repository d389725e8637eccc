/** Media type of the catalog (RFC 9727, section 5.3). */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Makes the catalog of the site's one API (RFC 9727), as a JSON linkset (RFC 9264).
 * @param siteUrl without a slash at its end; null: links are relative
 */
export function toApiCatalog(siteUrl: string | null): string {
  const at = (path: string) => (siteUrl ?? "") + path;
  const linkset = [
    {
      anchor: at("/api/v1"),
      "service-desc": [{ href: at("/api/v1/openapi.json"), type: "application/json" }],
      "service-doc": [{ href: at("/api"), type: "text/html" }],
      status: [{ href: at("/api/v1/status"), type: "application/json" }],
    },
  ];
  return `${JSON.stringify({ linkset }, null, 2)}\n`;
}
