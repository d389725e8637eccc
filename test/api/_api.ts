import { expect } from "vitest";
import type { z } from "zod";
import { errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import { CONTENT_TYPE, type DocumentOf } from "../../generator/contract/objects.ts";
import { snapshot } from "../../generator/service/observing.ts";
import { readSettings } from "../../proxy/settings.ts";
import { startServer } from "../../proxy/server.ts";
import { readDocument } from "../service/documents.ts";
import { MINUTE, openStage, timeAt, type Stage } from "../service/harness.ts";
import { makeDirectory } from "../store/directory.ts";

/** On mainnet more than are shown by default, and more than a day of them. */
const EPOCHS: Record<Network, number> = { mainnet: 14, testnet: 3, alpenglow: 3 };

/** More than a page of validators on mainnet; the others are as small as a story can be. */
const VALIDATORS: Record<Network, number> = { mainnet: 60, testnet: 12, alpenglow: 12 };

/** So many that no test meets the limit. */
const PER_MINUTE = 1_000_000;

/**
 * The API over what was published of three clusters
 * that were watched for a while, in one public store.
 */
export interface Api {
  stages: Record<Network, Stage>;
  /** What the query-driven routes answer from. */
  indexes: Record<Network, DocumentOf<"index">>;
  /** Of each network one. */
  walletShards: Record<Network, DocumentOf<"walletShard">>;
  request: (path: string, init?: RequestInit) => Promise<Response>;
  /** Errors of the proxy that are bugs. */
  bugs: unknown[];
  close: () => Promise<void>;
}

/** Plays the clusters, few ticks an epoch: what is shown matters here, not when it was seen. */
export async function openApi(): Promise<Api> {
  const { directory, remove } = await makeDirectory();
  const cadence = { checkMilliseconds: 60 * MINUTE, snapshotMilliseconds: 60 * MINUTE };
  const played = await Promise.all(
    NETWORKS.map(async (network) => {
      const stage = await openStage({ network, validators: VALIDATORS[network], directory });
      await stage.play({ until: timeAt(EPOCHS[network] - 0.2), cadence, publishes: false });
      await stage.clock.sleepUntil(timeAt(EPOCHS[network] - 0.15));
      expect((await snapshot(stage.command)).accepted).toBe(true);
      // It is the same time on every network.
      await stage.clock.sleepUntil(timeAt(EPOCHS.mainnet - 0.1));
      const walletShard = await readDocument(stage, "walletShard", { shard: "1-0" });
      return { network, stage, index: await readDocument(stage, "index", {}), walletShard };
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
    walletShards: byNetwork(({ walletShard }) => walletShard),
    request: (path, init) => fetch(`${server.url}${path}`, init),
    bugs,
    async close() {
      await server.close();
      await Promise.all(played.map(({ stage }) => stage.close()));
      await remove();
    },
  };
}

/** The body of a successful answer, checked by its schema. */
export async function readAnswer<Schema extends z.ZodType>(response: Response, schema: Schema) {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status: 200 });
  expect(schema.safeParse(body)).toMatchObject({ success: true });
  expect(response.headers.get("content-type")).toBe(CONTENT_TYPE);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("x-ratelimit-limit")).toBe(String(PER_MINUTE));
  return body as z.infer<Schema>;
}

/** The code of an error, checked with its status and envelope. */
export async function readError(response: Response, status: number): Promise<ErrorCode> {
  const body: unknown = await response.json();
  expect({ url: response.url, status: response.status, body }).toMatchObject({ status });
  expect(response.headers.get("cache-control")).toBe("no-store");
  return errorSchema.parse(body).error.code;
}
