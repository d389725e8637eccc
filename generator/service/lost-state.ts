import type { Network } from "../contract/networks.ts";
import { listPublished } from "../publish/compare.ts";
import type { ObjectStore } from "../store/store.ts";

/** Where a network is published, and where that comes from. */
interface Stores {
  network: Network;
  publicStore: ObjectStore;
  stateStore: ObjectStore;
}

/**
 * For a state that knows nothing of the network: what would be published of it would have no past, in the place of what has one.
 *
 * @throws {Error} when documents are there: the state store is then not the one they were made from
 */
export async function requireNothingPublished({ network, publicStore, stateStore }: Stores): Promise<void> {
  const [published] = await listPublished(publicStore, network);
  if (published === undefined) return;
  throw new Error(
    `${publicStore.name} has documents of ${network}, and ${stateStore.name} no entry to make them from: look at RUGWATCH_STATE`,
  );
}
