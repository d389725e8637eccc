import { openStore } from "../generator/store/open.ts";
import { createApp } from "./app.ts";
import { createClusters } from "./cache/live-epoch.ts";
import { toLambdaHandler } from "./http/lambda-handler.ts";
import { createGate, openLimiter } from "./limits/rate-limit.ts";
import { createLog, createRedaction } from "./operations/log.ts";
import { getSecrets, readSettings } from "./settings.ts";

// The proxy as a function of AWS Lambda. Nothing is read or connected to before the first request, but VALKEY_URL if set.

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const settings = readSettings();
const { logLevel: level, publicStore, rpcUrls, trustedProxies } = settings;
const write = (line: string) => void process.stderr.write(line);
const { log } = createLog({ write, now, level, redact: createRedaction(getSecrets(settings)) });
const { readEpoch } = createClusters({ rpcUrls, now });
const limiter = await openLimiter({ ...settings, now: () => performance.now(), log });
const gate = createGate({ limiter, trustedProxies });
const app = createApp({ objects: openStore(publicStore), readEpoch, gate, now, log });

/** Takes events of a function URL or of an HTTP API in payload format 2.0. */
export const handler = toLambdaHandler((request) => app.fetch(request));
