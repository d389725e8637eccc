import { expect } from "vitest";
import type { Network } from "../../generator/contract/networks.ts";
import {
  fromObjectKey,
  toNetworkPrefixes,
  toObjectKey,
} from "../../generator/contract/object-keys.ts";
import {
  OBJECTS,
  type DocumentOf,
  type NamesOf,
  type ObjectKind,
  type ObjectReference,
} from "../../generator/contract/objects.ts";
import { isOfWalletIndex } from "../../generator/publish/compare.ts";
import type { ObjectStore } from "../../generator/store/store.ts";

export interface Site {
  publicStore: ObjectStore;
  network: Network;
}

/** null: none. */
export async function findDocument<Kind extends ObjectKind>(
  { publicStore, network }: Site,
  kind: Kind,
  names: NamesOf<Kind>,
): Promise<DocumentOf<Kind> | null> {
  const object = await publicStore.get(toObjectKey(network, kind, names));
  if (object === null) return null;
  const document: unknown = JSON.parse(new TextDecoder().decode(object.body));
  expect(OBJECTS[kind].schema.safeParse(document)).toMatchObject({ success: true });
  return document as DocumentOf<Kind>;
}

export async function readDocument<Kind extends ObjectKind>(
  site: Site,
  kind: Kind,
  names: NamesOf<Kind>,
) {
  const document = await findDocument(site, kind, names);
  if (document === null)
    throw new Error(`${toObjectKey(site.network, kind, names)} is not published`);
  return document;
}

export async function readSite({ publicStore, network }: Site): Promise<Map<string, string>> {
  const site = new Map<string, string>();
  for (const prefix of toNetworkPrefixes(network)) {
    for await (const { key } of publicStore.list(prefix))
      site.set(key, new TextDecoder().decode((await publicStore.get(key))?.body));
  }
  return site;
}

/** What comes from the journal: not the status, not the wallet index. */
export async function readTimeless(site: Site): Promise<Map<string, string>> {
  const documents = await readSite(site);
  documents.delete(toObjectKey(site.network, "status", {}));
  for (const key of documents.keys()) if (isOfWalletIndex(site.network, key)) documents.delete(key);
  return documents;
}

/** What the events add up to, without the log of changes, which tells how. */
export async function readStanding(site: Site): Promise<Map<string, string>> {
  const documents = await readTimeless(site);
  for (const key of documents.keys())
    if (isOfLog(fromObjectKey(site.network, key))) documents.delete(key);
  return documents;
}

export function isOfLog(reference: ObjectReference | null): boolean {
  return reference?.kind === "newestChanges" || reference?.kind === "changeSegment";
}
