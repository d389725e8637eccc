import { openStore } from "../generator/store/open.ts";
import { createApp } from "./app.ts";
import { getSecrets, readSettings } from "./config.ts";
import { createClusters } from "./held/clusters.ts";
import { toLambdaHandler } from "./http/lambda-handler.ts";
import { withApiAddress } from "./http/object-address.ts";
import { openLimiter } from "./limits/open-limiter.ts";
import { createLog } from "./log/log.ts";
import { createRedaction } from "./log/redact.ts";

// The proxy as a function of AWS Lambda. Nothing is read or connected to before the first request, but VALKEY_URL if set.

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const settings = readSettings();
const { logLevel: level, publicStore, rpcUrls, trustedProxies } = settings;
const write = (line: string) => void process.stderr.write(line);
const { log } = createLog({ write, now, level, redact: createRedaction(getSecrets(settings)) });
const { readEpoch } = createClusters({ rpcUrls, now });
const limiter = await openLimiter({ settings, now: () => performance.now(), log });
const app = createApp({ objects: openStore(publicStore), readEpoch, limiter, trustedProxies, now, log });
const handle = toLambdaHandler((request) => app.fetch(request));

/** Takes events of a function URL or of an HTTP API in payload format 2.0. */
export const handler: typeof handle = (event, context) => handle(withApiAddress(event), context);
