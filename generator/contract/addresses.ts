import { FORMS } from "./forms.ts";
import { NETWORKS, type Network } from "./networks.ts";
import { fromObjectKey } from "./objects.ts";

/** Where the API answers with a document. */
export interface ApiAddress {
  /** From the root, without a query: `/api/v1/validators/VOTE/events`. */
  path: string;
  network: Network;
}

const ROOT = FORMS.document.folder;

/**
 * The inverse of what a CDN's edge does: the address whose answer lies under a key, all parameters but the network at
 * their defaults. null: the key is of no document, or its own address already (feeds, exports).
 */
export function toApiAddress(key: string): ApiAddress | null {
  const network = NETWORKS.find((candidate) => key.startsWith(`${ROOT}/${candidate}/`));
  if (network === undefined) return null;
  const kind = fromObjectKey(network, key)?.kind;
  if (kind === undefined || kind === "index" || kind === "walletShard") return null;
  const path = key.slice(`${ROOT}/${network}/`.length, -`.${FORMS.document.extension}`.length);
  return { path: `/${ROOT}/${path}`, network };
}
