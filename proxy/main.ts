import { Command } from "commander";
import { describeVariables, SettingsError } from "../generator/settings/variables.ts";
import { openStore } from "../generator/store/open.ts";
import { createLog, createRedaction, type Log, type LogEntry } from "./log.ts";
import { startServer } from "./server.ts";
import { getSecrets, readSettings, variables, type Settings } from "./settings.ts";

// Exit status: 0 stopped by a signal; 1 failed, or ended by a second Ctrl-C; 2 wrong use.

const FAILED = 1;
const WRONG_USE = 2;
/** A Ctrl-C reaches all processes of a terminal, and npm may pass it on a second time. */
const ECHO_MILLISECONDS = 500;

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const write = (text: string) => void process.stderr.write(text);
// The proxy outlives its log's reader.
process.stderr.on("error", () => undefined);

let redact = (text: string) => text;
try {
  readCommandLine();
  const settings = readSettings();
  redact = createRedaction(getSecrets(settings));
  const log = createLog({ write, now, level: settings.logLevel, redact });
  // After an uncaught error the state is unknown: end, and let the supervisor start it again.
  process.on("uncaughtException", (error) => {
    log({ level: "error", message: "a bug: ending", error });
    process.exit(FAILED);
  });
  await run(settings, log);
} catch (error) {
  write(redact(`rugwatch proxy: ${error instanceof Error ? error.message : String(error)}\n`));
  process.exitCode = error instanceof SettingsError ? WRONG_USE : FAILED;
}

function readCommandLine(): void {
  new Command("proxy")
    .description(
      "Serves the API over the published documents, until it is stopped (SIGTERM, Ctrl-C).",
    )
    .addHelpText("after", `\nSettings are environment variables:\n${describeVariables(variables)}`)
    .showHelpAfterError("(--help shows how)")
    .allowExcessArguments(false)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE))
    .parse();
}

async function run(settings: Settings, log: Log): Promise<void> {
  log(toSettingsEntry(settings));
  const server = await startServer({
    settings,
    objects: openStore(settings.publicStore),
    now,
    log,
  });
  const forget = onStop(log, () => server.close());
  log({ level: "info", message: `listening on ${server.url}` });
  if (server.metricsUrl !== null)
    log({ level: "info", message: `metrics on ${server.metricsUrl}` });
  onReload(() => {
    forget();
    return server.close();
  });
}

/** Without addresses of stores and endpoints, which may hold keys. */
function toSettingsEntry(settings: Settings): LogEntry {
  const { publicStore, valkeyUrl, rpcUrls, trustedProxies, ...harmless } = settings;
  const rpcEndpoints = Object.entries(rpcUrls).map(
    ([network, urls]) => `${network} ${urls.length}`,
  );
  const fields = {
    ...harmless,
    store: publicStore.startsWith("file:")
      ? publicStore
      : publicStore.slice(0, publicStore.indexOf(":")),
    limitCountedBy: valkeyUrl === null ? "this proxy" : "valkey",
    trustsProxiesBy: trustedProxies.by,
    rpcEndpoints: rpcEndpoints.join(", "),
    node: process.version,
  };
  return { level: "info", message: "starting", fields };
}

/**
 * Closes on the first signal and ends at once on a
 * second Ctrl-C. Returns what removes the listeners.
 */
function onStop(log: Log, close: () => Promise<void>): () => void {
  let isClosing = false;
  let interruptedAt = -Infinity;
  const stop = (signal: NodeJS.Signals) => {
    const isEcho = performance.now() - interruptedAt < ECHO_MILLISECONDS;
    if (signal === "SIGINT" && !isEcho) interruptedAt = performance.now();
    const isImpatient = isClosing && signal === "SIGINT" && !isEcho;
    const consequence = isImpatient ? "ending at once" : isClosing ? "closing already" : "closing";
    log({ level: "info", message: `${signal}: ${consequence}` });
    if (isImpatient) process.exit(FAILED);
    if (!isClosing) void close().then(() => process.exit(0));
    isClosing = true;
  };
  process.on("SIGINT", stop).on("SIGTERM", stop);
  return () => process.off("SIGINT", stop).off("SIGTERM", stop);
}

/** `npm run dev`: vite-node runs this file again in the same process. */
function onReload(listener: () => Promise<void>): void {
  type DevelopmentMeta = ImportMeta & {
    hot?: { on(event: string, listener: () => Promise<void>): void };
  };
  (import.meta as DevelopmentMeta).hot?.on("vite:beforeFullReload", listener);
}
