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
 * The address whose answer lies under a key of the public store, all parameters but the network at their defaults: the other
 * way round than a CDN's edge goes. null: the key is of no document that the API gives out, or its own address already, as
 * those of feeds and exports are.
 */
export function toApiAddress(key: string): ApiAddress | null {
  const network = NETWORKS.find((candidate) => key.startsWith(`${ROOT}/${candidate}/`));
  if (network === undefined) return null;
  const kind = fromObjectKey(network, key)?.kind;
  if (kind === undefined || kind === "index") return null;
  const path = key.slice(`${ROOT}/${network}/`.length, -`.${FORMS.document.extension}`.length);
  return { path: `/${ROOT}/${path}`, network };
}
