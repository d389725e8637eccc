import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, onTestFinished } from "vitest";
import type { z } from "zod";
import { errorSchema, type ErrorCode } from "../../generator/contract/errors.ts";
import {
  CONTENT_TYPE,
  OBJECTS,
  type DocumentOf,
  type ObjectKind,
} from "../../generator/contract/objects.ts";
import { NETWORKS, type Network } from "../../generator/contract/networks.ts";
import type { EpochInfo } from "../../generator/rpc/epoch.ts";
import { openMemoryStore } from "../../generator/store/memory.ts";
import { createApp } from "../../proxy/app.ts";
import { createNodeServer, type NodeServerOptions } from "../../proxy/http/node-server.ts";
import { toPolicyHeaders } from "../../proxy/limits/rate-limit.ts";
import { parseTrustedProxies, type TrustedProxies } from "../../proxy/limits/client-address.ts";
import { MemoryLimiter } from "../../proxy/limits/memory-limiter.ts";
import type { LogEntry } from "../../proxy/log.ts";
import { startServer } from "../../proxy/server.ts";
import { readSettings } from "../../proxy/settings.ts";
import type { Site } from "../../proxy/site.ts";
import { SEEN_AT, MAINNET, type PublishedObject } from "./fixtures.ts";

/** Everything the proxy sees of the outside, and the hands of a test on it. */
export interface World {
  /** Milliseconds since the epoch; a test moves it on. */
  now: number;
  /** While true every reading of the store fails. */
  storeDown: boolean;
  /** Keys read from the store so far. */
  reads: string[];
  put(...objects: PublishedObject[]): Promise<void>;
  /** What the cluster says of its epoch, or throws. */
  readEpoch: (network: Network) => Promise<EpochInfo>;
  log: LogEntry[];
}

interface WorldOptions {
  perMinute?: number;
  trusted?: TrustedProxies;
  site?: Site;
  watched?: readonly Network[];
}

/** It takes room for as many as it may remember when it is made, which takes time. */
const CLIENTS = 1_000;

/** The proxy put together without a socket, over a store in memory. */
export async function createWorld(published = MAINNET, options: WorldOptions = {}) {
  const { perMinute = 100_000, trusted = { by: "nothing" }, site, watched = NETWORKS } = options;
  const store = openMemoryStore();
  const putAt = new Map<string, number>();
  const world: World = {
    now: Date.parse(SEEN_AT),
    storeDown: false,
    reads: [],
    log: [],
    async put(...objects) {
      for (const { key, body } of objects) {
        await store.put(key, body, { expect: "any", contentType: CONTENT_TYPE });
        putAt.set(key, world.now);
      }
    },
    readEpoch: () => Promise.reject(new Error("this cluster is silent")),
  };
  await world.put(...published);
  const now = () => world.now;
  const limiter = new MemoryLimiter(perMinute, now, CLIENTS);
  const objects = {
    async getIfChanged(key: string, knownEtag: string | null) {
      world.reads.push(key);
      if (world.storeDown) throw new Error("the store is down");
      const object = await store.getIfChanged(key, knownEtag);
      if (object === null || object === "unchanged") return object;
      return { ...object, modifiedAt: putAt.get(key) ?? null };
    },
  };
  const app = createApp({
    objects,
    clusters: { watched, readEpoch: (network) => world.readEpoch(network) },
    limiter,
    trustedProxies: trusted,
    now,
    steadyNow: now,
    log: (entry) => void world.log.push(entry),
    ...(site && { site }),
  });
  return { world, app, limiter, objects };
}

/** The app behind a socket. */
export async function listen(
  { app, onRefused }: Pick<NodeServerOptions, "app" | "onRefused">,
  node: NodeServerOptions["node"] = {},
) {
  const server = createNodeServer({ app, refusalHeaders: toPolicyHeaders(60), onRefused, node });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A world behind a socket until the test ends. */
export async function openSocket(
  options: WorldOptions & { node?: NodeServerOptions["node"] } = {},
) {
  const made = await createWorld(MAINNET, options);
  const { url, close } = await listen(made, options.node);
  onTestFinished(close);
  return { ...made, url };
}

/** The whole proxy, over the documents of mainnet, until the test ends. */
export async function start(environment: Record<string, string> = {}, published = MAINNET) {
  const { world, objects } = await createWorld(published);
  const settings = readSettings({
    PORT: "0",
    MAINNET_RPC_URLS: "http://127.0.0.1:9",
    ...environment,
  });
  const log = (entry: LogEntry) => void world.log.push(entry);
  const now = () => world.now;
  const server = await startServer({ settings, objects, now, steadyNow: now, log });
  onTestFinished(() => server.close());
  return { server, world };
}

interface ProxyOptions extends WorldOptions {
  published?: readonly PublishedObject[];
  trustProxy?: string;
}

export interface Proxy {
  world: World;
  request: (path: string, init?: RequestInit) => Promise<Response>;
}

/**
 * Runs tests twice: in process and over a real socket. A logged error
 * fails the test. `request` asks a proxy over mainnet, one for each test.
 */
export function describeProxy(
  title: string,
  define: (open: (options?: ProxyOptions) => Promise<Proxy>, request: Proxy["request"]) => void,
): void {
  describe.each(["in process", "over a socket"] as const)(`${title}, %s`, (transport) => {
    const closers: (() => Promise<void>)[] = [];
    const worlds: World[] = [];
    let usual: Promise<Proxy> | null = null;
    afterEach(async () => {
      usual = null;
      await Promise.all(closers.splice(0).map((close) => close()));
      expect(
        worlds.splice(0).flatMap(({ log }) => log.filter(({ level }) => level === "error")),
      ).toEqual([]);
    });

    const open = async ({
      published,
      trustProxy = "none",
      ...options
    }: ProxyOptions = {}): Promise<Proxy> => {
      const made = await createWorld(published, {
        ...options,
        trusted: parseTrustedProxies(trustProxy)!,
      });
      const { world, app } = made;
      worlds.push(world);
      if (transport === "in process")
        return { world, request: async (path, init) => app.fetch(toRequest(path, init)) };
      const { url, close } = await listen(made);
      closers.push(close);
      return { world, request: (path, init) => fetch(`${url}${path}`, init) };
    };
    define(open, async (path, init) => (await (usual ??= open())).request(path, init));
  });
}

/** A request in process has no connection: srvx puts the peer's address here. */
export function toRequest(path: string, init?: RequestInit): Request {
  return Object.defineProperty(new Request(`http://localhost${path}`, init), "ip", {
    value: "127.0.0.1",
  });
}

/** The body of a successful answer, checked by the schema of its kind. */
export async function readDocument<Kind extends ObjectKind>(
  kind: Kind,
  response: Response,
): Promise<DocumentOf<Kind>> {
  return readBody(response, OBJECTS[kind].schema) as Promise<DocumentOf<Kind>>;
}

/** The body of a successful answer, checked by a schema. */
export async function readBody<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status: 200 });
  expect(response.headers.get("content-type")).toBe(CONTENT_TYPE);
  schema.parse(body);
  return body as z.infer<Schema>;
}

/** Checks status, envelope and headers of an error. Returns its message. */
export async function readError(
  response: Response,
  status: number,
  code: ErrorCode,
): Promise<string> {
  const body: unknown = await response.json();
  expect({ status: response.status, body }).toMatchObject({ status, body: { error: { code } } });
  expect(Object.keys(body as object)).toEqual(["error"]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("content-type")).toBe(CONTENT_TYPE);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  return errorSchema.parse(body).error.message;
}
