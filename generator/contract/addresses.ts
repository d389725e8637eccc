import { FORMS } from "./forms.ts";
import { NETWORKS, type Network } from "./networks.ts";
import { fromObjectKey } from "./object-keys.ts";
import { OBJECTS } from "./objects.ts";

interface ApiAddress {
  /** Path of the public address, without a query. */
  path: string;
  network: Network;
}

const ROOT = FORMS.document.folder;
const PAGES = FORMS.page.folder;

/**
 * Returns the public address under which the CDN serves an object; the inverse of its edge
 * function. null: the key is its own address (feeds, exports, badges), or no document's.
 */
export function toApiAddress(key: string): ApiAddress | null {
  const network = NETWORKS.find((candidate) =>
    [ROOT, PAGES].some((root) => key.startsWith(`${root}/${candidate}/`)),
  );
  const reference = network === undefined ? null : fromObjectKey(network, key);
  if (network === undefined || reference === null) return null;
  if (reference.kind === "page")
    return { path: `/validators/${reference.names.votePubkey}`, network };
  const { form, hasOperation } = OBJECTS[reference.kind];
  if (form !== "document" || !hasOperation) return null;
  const path = key.slice(`${ROOT}/${network}/`.length, -`.${FORMS.document.extension}`.length);
  return { path: `/${ROOT}/${path}`, network };
}
