/** Paths that are never a page, whatever their case: the proxy's, and those that only whoever runs it may ask. */
const NO_PAGE = /^\/(?:api\/|(?:feeds|exports|healthz|readyz|metrics)(?:\/|$))/i;
/** A name with an ending is that of a file. */
const FILE = /\.[^/]*$/;
const INDEX_PATH = "/index.html";

/**
 * The file of the site that a path stands for; undefined: it stands for none. Which pages there are, the site itself knows. The
 * index has no address of its own, but where a distribution has a default root object, `/` comes as that.
 */
export function toSiteFile(path: string): string | undefined {
  if (NO_PAGE.test(path)) return undefined;
  return FILE.test(path) ? path : INDEX_PATH;
}
