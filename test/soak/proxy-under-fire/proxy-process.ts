import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../../..", import.meta.url));
const STARTED_WITHIN_MILLISECONDS = 30_000;
const STOPPED_WITHIN_MILLISECONDS = 15_000;

/** A process of `proxy/main.ts`. */
export interface ProxyProcess {
  url: string;
  /** Lines of its log so far. */
  lines: string[];
  /** Its exit status, null when it was killed; undefined: it runs. */
  exitCode: () => number | null | undefined;
  /** Resident memory in bytes; null where there is no /proc. */
  getMemory(): Promise<number | null>;
  /** SIGTERM, and SIGKILL if that does not help. Says how it ended. */
  stop(): Promise<number | null>;
}

/** @throws {Error} with its log when it does not listen within half a minute */
export async function startProxyProcess(publicStore: string): Promise<ProxyProcess> {
  const silent = "http://127.0.0.1:9";
  const child = spawn(
    process.execPath,
    ["--max-semi-space-size=32", "--no-allocation-site-pretenuring", "proxy/main.ts"],
    {
      cwd: PROJECT,
      env: {
        PATH: process.env["PATH"],
        PORT: "0",
        RUGWATCH_PUBLIC: publicStore,
        TRUST_PROXY: "1",
        RATE_LIMIT_PER_MINUTE: "1000000",
        MAINNET_RPC_URLS: silent,
        TESTNET_RPC_URLS: silent,
        ALPENGLOW_RPC_URLS: silent,
      },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let code: number | null | undefined;
  const ended = once(child, "exit").then(([status]) => (code = status as number | null));
  const lines: string[] = [];
  const { promise: listening, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error("it does not listen")), STARTED_WITHIN_MILLISECONDS);
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    const url = /listening on (http:\/\/[\w.:-]+)/.exec(line)?.[1];
    if (url !== undefined) resolve(url);
  });
  void ended.then(() => reject(new Error("it ended")));
  try {
    const url = await listening;
    return { url, lines, exitCode: () => code, getMemory: () => readResident(child.pid), stop };
  } catch (error) {
    child.kill("SIGKILL");
    throw new Error(`The proxy did not start:\n${lines.join("\n")}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }

  async function stop(): Promise<number | null> {
    child.kill("SIGTERM");
    const kill = setTimeout(() => child.kill("SIGKILL"), STOPPED_WITHIN_MILLISECONDS);
    const status = await ended;
    clearTimeout(kill);
    return status;
  }
}

async function readResident(pid: number | undefined): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
