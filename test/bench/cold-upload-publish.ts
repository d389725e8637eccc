import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fromObjectKey, toObjectKey } from "../../generator/contract/objects.ts";
import { DEFAULT_SITE_URL } from "../../generator/contract/site-url.ts";
import { publish } from "../../generator/publish/publish.ts";
import { openFileStore } from "../../generator/store/files.ts";
import { openStore } from "../../generator/store/open.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

/** Passed to the process as JSON. */
export interface ColdUploadOptions {
  /** Holds each document under its key. */
  folder: string;
  publicStore: string;
  stateStore: string;
  concurrency: number;
}

// Publishes a folder's documents to empty stores.

const { network } = PLANNED_CLUSTER;
const { folder, publicStore, stateStore, concurrency } = JSON.parse(process.argv[2] ?? "") as ColdUploadOptions;
const keys = (await Array.fromAsync(openFileStore(folder).list(""))).map(({ key }) => key);
const documents = new Map(
  await Promise.all(keys.map(async (key) => [key, await readFile(join(folder, key))] as const)),
);

const { documents: counts, skipped } = await publish({
  publicStore: openStore(publicStore),
  stateStore: openStore(stateStore),
  network,
  series: 1,
  versions: { fold: 1, render: 1 },
  siteUrl: DEFAULT_SITE_URL,
  journal: { through: null, digest: "bench" },
  references: keys.flatMap((key) => fromObjectKey(network, key) ?? []),
  render: ({ kind, names }) => documents.get(toObjectKey(network, kind, names)) ?? null,
  status: () => Buffer.from("{}"),
  audit: false,
  now: () => Date.now(),
  holder: "bench",
  concurrency,
});
if (skipped !== null || counts.written !== keys.length) throw new Error(`${counts.written} written; ${skipped}`);
