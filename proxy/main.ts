import { SettingsError } from "../generator/contract/variables.ts";
import { openStore } from "../generator/store/open.ts";
import { readSettings } from "./config.ts";
import { toLogLine, type LogEntry } from "./operations/log.ts";
import { startServer } from "./server.ts";

const FAILED = 1;
const WRONG_USE = 2;

// Reads the settings, listens, and closes when told to. Everything else is put together in server.ts.

// eslint-disable-next-line no-restricted-properties -- the composition root is where the clock comes from
const now = () => Date.now();
const log = (entry: LogEntry) => void process.stderr.write(toLogLine(entry, now()));

/** What vite-node, and nothing else, offers of a module's life: `npm run dev` runs this file again in the same process. */
type DevelopmentMeta = ImportMeta & { hot?: { on(event: string, listener: () => Promise<void>): void } };

try {
  const settings = readSettings();
  const server = await startServer({ settings, objects: openStore(settings.publicStore), now, log });
  log({ level: "info", message: `listening on ${server.url}` });

  const stop = (signal: string) => {
    log({ level: "info", message: `${signal}: closing` });
    void server.close().finally(() => process.exit());
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  (import.meta as DevelopmentMeta).hot?.on("vite:beforeFullReload", () => {
    process.off("SIGINT", stop).off("SIGTERM", stop);
    return server.close();
  });
} catch (error) {
  process.stderr.write(`rugwatch proxy: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof SettingsError ? WRONG_USE : FAILED;
}
