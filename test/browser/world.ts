import { fromObjectKey } from "../../generator/contract/object-keys.ts";
import type { WalletShard } from "../../generator/contract/wallets.ts";
import { openStore } from "../../generator/store/open.ts";
import type { ObjectStore } from "../../generator/store/store.ts";
import { readSettings } from "../../proxy/settings.ts";
import type { ObjectRead } from "../../proxy/cache/store.ts";
import type { LogEntry } from "../../proxy/log.ts";
import { startServer } from "../../proxy/server.ts";
import type { Ready } from "./_global.ts";

export interface World {
  origin: string;
  /** Epoch milliseconds of the proxy's clock. Move it on, and held documents grow old. */
  now: number;
  /** Every reading of the store fails. */
  isStoreDown: boolean;
  /**
   * Changes the text of an object. Set it before the
   * first request: the proxy keeps what it has read.
   */
  change: (text: string, key: string) => string;
  /** @throws {Error} on any answer but 200 */
  read: <Document>(path: string) => Promise<Document>;
  wallet: string;
  log: LogEntry[];
  close: () => Promise<void>;
}

/** The wallet with most stake accounts. */
async function findWallet(store: ObjectStore): Promise<string> {
  const wallets: WalletShard["data"]["wallets"] = [];
  for await (const { key } of store.list("api/v1/mainnet/wallets/")) {
    if (fromObjectKey("mainnet", key)?.kind !== "walletShard") continue;
    const shard = await store.get(key);
    const { data } = JSON.parse(new TextDecoder().decode(shard?.body)) as WalletShard;
    wallets.push(...data.wallets);
  }
  return wallets.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "";
}

export async function openWorld(
  { publicStore, siteDirectory, rpcUrls, now }: Ready,
  { perMinute = 100_000 }: { perMinute?: number } = {},
): Promise<World> {
  const store = openStore(publicStore);
  const world: World = {
    origin: "",
    now,
    isStoreDown: false,
    change: (text) => text,
    async read(path) {
      const response = await fetch(`${world.origin}/api/v1/${path}`);
      if (response.status !== 200)
        throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as never;
    },
    wallet: await findWallet(store),
    log: [],
    close: () => server.close(),
  };

  // The proxy reads the index as it starts: not before the test has set up its world.
  const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();

  async function getIfChanged(
    key: string,
    knownEtag: string | null,
  ): Promise<ObjectRead | "unchanged" | null> {
    await begun;
    if (world.isStoreDown) throw new Error("the store is down");
    const read = await store.getIfChanged(key, knownEtag);
    if (read === null || read === "unchanged" || !key.endsWith(".json")) return read;
    const text = world.change(new TextDecoder().decode(read.body), key);
    return { ...read, body: new TextEncoder().encode(text) };
  }

  const settings = readSettings({
    PORT: "0",
    SITE_DIR: siteDirectory,
    RATE_LIMIT_PER_MINUTE: String(perMinute),
    MAINNET_RPC_URLS: rpcUrls.mainnet?.join(","),
    TESTNET_RPC_URLS: rpcUrls.testnet?.join(","),
    ALPENGLOW_RPC_URLS: "http://127.0.0.1:9",
  });
  const log = (entry: LogEntry) => void world.log.push(entry);
  const server = await startServer({
    settings,
    objects: { getIfChanged },
    now: () => world.now,
    steadyNow: () => world.now,
    log,
  });
  world.origin = server.url;
  setImmediate(() => begin(undefined));
  return world;
}
