import { FORMS } from "./forms.ts";
import { NETWORKS, type Network } from "./networks.ts";
import { fromObjectKey, OBJECTS } from "./objects.ts";

interface ApiAddress {
  /** Without a query. */
  path: string;
  network: Network;
}

const ROOT = FORMS.document.folder;
const PAGES = FORMS.page.folder;

/**
 * Inverse of the CDN's edge function. null: a key that is no
 * document's, or its own address (feeds, exports, badges).
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
