import { openJournal } from "../../../generator/journal/journal.ts";
import { link, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { EntryKind } from "../../../generator/entries/entry.ts";
import { rebuild } from "../../../generator/service/rebuild.ts";
import type { Stage } from "../../service/harness.ts";
import { startUpstream, type Upstream } from "../../service/upstream.ts";

export async function findDifferences(stage: Stage): Promise<string[]> {
  const named: string[] = [];
  await rebuild({
    ...stage.command,
    verify: true,
    prune: false,
    onDifference: ({ key, what }) => void named.push(`${what}: ${key}`),
    onProgress: () => undefined,
  });
  return named;
}

/** One witness, by two addresses. */
export async function putBetween(stage: Stage): Promise<Upstream> {
  const upstream = await openUpstream(stage);
  const { settings } = stage.command;
  stage.command.settings = {
    ...settings,
    rpcUrls: { ...settings.rpcUrls, [stage.network]: upstream.rpcUrls },
    mevUrls: { ...settings.mevUrls, [stage.network]: upstream.mevUrl },
  };
  return upstream;
}

/** So many witnesses, each by one address. */
export async function putManyBetween(stage: Stage, witnesses: number): Promise<Upstream[]> {
  const upstreams = await Promise.all(Array.from({ length: witnesses }, () => openUpstream(stage)));
  const { settings } = stage.command;
  const urls = upstreams.map(({ rpcUrls: [first = ""] }) => first);
  stage.command.settings = { ...settings, rpcUrls: { ...settings.rpcUrls, [stage.network]: urls } };
  return upstreams;
}

function openUpstream({ command: { settings }, network }: Stage): Promise<Upstream> {
  return startUpstream({
    rpcUrl: settings.rpcUrls[network][1] ?? "",
    mevUrl: settings.mevUrls[network] ?? "",
  });
}

/** Hard links share file and ETag; a store never writes in place but replaces files. */
export async function keepStores({ command: { settings } }: Stage): Promise<() => Promise<void>> {
  const folders = [settings.publicStore, settings.stateStore].map((url) =>
    url.replace("file:", ""),
  );
  for (const folder of folders) await linkAll(folder, `${folder}.kept`);
  return async () => {
    for (const folder of folders) {
      await rm(folder, { recursive: true, force: true });
      await linkAll(`${folder}.kept`, folder);
    }
  };
}

async function linkAll(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(to, entry.parentPath.slice(from.length), entry.name);
    await mkdir(dirname(path), { recursive: true });
    await link(join(entry.parentPath, entry.name), path);
  }
}

/** The journal's entries of one kind. */
export async function countEntries({ stateStore }: Stage, kind: EntryKind): Promise<number> {
  const journal = openJournal({ store: stateStore, network: "mainnet", series: 1 });
  const { names } = await journal.list(null);
  return (await Array.fromAsync(journal.read(names, (head) => head.kind === kind))).length;
}
