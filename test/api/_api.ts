import { expect } from "vitest";
import type { z } from "zod";
import { errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { fromObjectKey } from "../../generator/contract/object-keys.ts";
import { CONTENT_TYPE, type DocumentOf } from "../../generator/contract/objects.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { readSettings } from "../../proxy/settings.ts";
import { startServer } from "../../proxy/server.ts";
import { readDocument, readSite } from "../service/documents.ts";
import { openRecordedStage, type Stage } from "../service/harness.ts";
import { makeDirectory } from "../store/directory.ts";

/** So many that no test meets the limit. */
const PER_MINUTE = 1_000_000;

/** Which accounts a wallet has, and whose a stake account is. */
type Wallets = Pick<DocumentOf<"walletShard">["data"], "wallets" | "stakeAccounts">;

/**
 * The API over what was published of three clusters
 * that were watched for a while, in one public store.
 */
export interface Api {
  stages: Record<Network, Stage>;
  /** What the query-driven routes answer from. */
  indexes: Record<Network, DocumentOf<"index">>;
  wallets: Record<Network, Wallets>;
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Errors of the proxy that are bugs. */
  bugs: unknown[];
  close: () => Promise<void>;
}

/** Of the demo's clusters, what is recorded and one snapshot more. */
export async function openApi(): Promise<Api> {
  const { directory, remove } = await makeDirectory();
  const played = await Promise.all(
    NETWORKS.map(async (network) => {
      const stage = await openRecordedStage(network, directory);
      expect((await snapshot(stage.command)).accepted).toBe(true);
      const [index, wallets] = [await readDocument(stage, "index", {}), await readWallets(stage)];
      return { network, stage, index, wallets };
    }),
  );
  const byNetwork = <Value>(of: (one: (typeof played)[number]) => Value) =>
    Object.fromEntries(played.map((one) => [one.network, of(one)])) as Record<Network, Value>;
  const stages = byNetwork(({ stage }) => stage);
  const bugs: unknown[] = [];
  const server = await startServer({
    settings: {
      ...readSettings({ PORT: "0" }),
      rateLimitPerMinute: PER_MINUTE,
      publicStore: stages.mainnet.command.settings.publicStore,
      rpcUrls: byNetwork(({ network, stage }) => stage.command.settings.rpcUrls[network]),
    },
    objects: stages.mainnet.publicStore,
    now: stages.mainnet.clock.now,
    log(entry) {
      if (entry.level !== "info") bugs.push(entry);
    },
  });
  return {
    stages,
    indexes: byNetwork(({ index }) => index),
    wallets: byNetwork(({ wallets }) => wallets),
    request: (path, init) => fetch(`${server.url}${path}`, init),
    bugs,
    async close() {
      await server.close();
      await Promise.all(played.map(({ stage }) => stage.close()));
      await remove();
    },
  };
}

/** All shards of the wallet index together. */
async function readWallets(stage: Stage): Promise<Wallets> {
  const all: Wallets = { wallets: [], stakeAccounts: [] };
  for (const key of (await readSite(stage)).keys()) {
    const reference = fromObjectKey(stage.network, key);
    if (reference?.kind !== "walletShard") continue;
    const { data } = await readDocument(stage, "walletShard", reference.names);
    all.wallets.push(...data.wallets);
    all.stakeAccounts.push(...data.stakeAccounts);
  }
  return all;
}

/** The body of a successful answer, checked by its schema. */
export async function readAnswer<Schema extends z.ZodType>(response: Response, schema: Schema) {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status: 200 });
  expect(schema.safeParse(body)).toMatchObject({ success: true });
  expect(response.headers.get("content-type")).toBe(CONTENT_TYPE);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("x-ratelimit-limit")).toBe(String(PER_MINUTE));
  expect(response.headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
  return body as z.infer<Schema>;
}

/** The code of an error, checked with its status and envelope. */
export async function readError(response: Response, status: number): Promise<ErrorCode> {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status });
  expect(response.headers.get("cache-control")).toBe("no-store");
  return errorSchema.parse(body).error.code;
}
