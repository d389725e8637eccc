import { execFile, spawn } from "node:child_process";
import { cp, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Simulator } from "../../cluster/simulator.ts";
import { findFreePort } from "../../free-port.ts";
import { makeDirectory } from "../../store/directory.ts";
import { startSmallSimulator } from "../generator/small-simulator.ts";
import type { Port } from "./proofs.ts";

const HOUSE = join(import.meta.dirname, "../../..");
/** Built or written into where commands run: never that of the house. */
const OWN = ["public", ".data", ".git"];
const LINE_MILLISECONDS = 60_000;
const LOOK_AGAIN_MILLISECONDS = 50;
const FEWER = { "--seeds 5000": "--seeds 2", "--requests 100000": "--requests 200" };

export interface Stage {
  /** Gives all that it printed. */
  play(line: string, sets: readonly string[]): Promise<string>;
  serve(line: string, shows: RegExp, at?: { port: Port; path: string }): Promise<void>;
  read(file: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * A folder that looks like a clone, beside a simulated
 * mainnet whose epochs 1069 and 1070 are closed.
 */
export async function openStage(): Promise<Stage> {
  const { directory, remove } = await makeDirectory();
  const simulator = await startSmallSimulator({ firstEpoch: 1069, isDated: true });
  const names = await readdir(HOUSE);
  for (const name of names)
    if (!OWN.includes(name)) await symlink(join(HOUSE, name), join(directory, name));
  // The site is built into its own folder.
  await cp(join(HOUSE, "public"), join(directory, "public"), {
    recursive: true,
    filter: (source) => source !== join(HOUSE, "public/dist"),
  });
  const ports: Record<Port, number> = {
    8080: await findFreePort(),
    9464: await findFreePort(),
    9465: await findFreePort(),
  };
  const env = {
    PATH: `${join(directory, "node_modules/.bin")}:${process.env["PATH"]}`,
    HOME: directory,
    MAINNET_MEV_URL: simulator.mevUrl("mainnet") ?? "none",
    MAINNET_RPC_URLS: simulator.rpcUrls("mainnet").join(","),
    PORT: String(ports[8080]),
    // More than a reader would ask by hand.
    RATE_LIMIT_PER_MINUTE: "1000",
  };
  /** What runs on, by the script it runs. */
  const running = new Map<string, () => Promise<void>>();
  /** Who listens on a port, and goes for the next one that wants it. */
  const serving = new Map<Port | undefined, () => Promise<void>>();

  async function toHere(line: string): Promise<string> {
    await running.get(toScript(line))?.();
    const ids = /explain|rule/.test(line) ? await findIds(directory) : {};
    return replaceAll(line, { ...toAddresses(simulator, ports), ...FEWER, ...ids });
  }

  return {
    async play(line, sets) {
      const here = await Promise.all([...sets, line].map(toHere));
      const script = `set -eo pipefail\n${here.join("\n")}`;
      return new Promise((resolve, reject) => {
        const options = { cwd: directory, env, timeout: LINE_MILLISECONDS, maxBuffer: 1 << 26 };
        execFile("bash", ["-c", script], options, (error, stdout, stderr) =>
          error === null
            ? resolve(stdout + stderr)
            : reject(new Error(`${line}:\n${stdout}${stderr}`, { cause: error })),
        );
      });
    },
    async serve(line, shows, at) {
      await serving.get(at?.port)?.();
      const script = (await toHere(line)).replace(/ &$/, "");
      // A group of its own: npm hands signals on late, or not at all.
      const child = spawn("bash", ["-c", script], { cwd: directory, env, detached: true });
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (data: Buffer) => (output += data.toString()));
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      const stop = async () => {
        running.delete(toScript(line));
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
        await ended;
      };
      running.set(toScript(line), stop);
      if (at !== undefined) serving.set(at.port, stop);
      const signal = AbortSignal.timeout(LINE_MILLISECONDS);
      const look =
        at === undefined
          ? () => output
          : () => ask(`http://127.0.0.1:${ports[at.port]}${at.path}`, signal);
      while (!shows.test(await look())) {
        if (child.exitCode !== null || signal.aborted) throw new Error(`${line}:\n${output}`);
        await wait(LOOK_AGAIN_MILLISECONDS);
      }
    },
    read: (file) => readFile(join(directory, file), "latin1"),
    async close() {
      for (const stop of running.values()) await stop();
      await simulator.close();
      await remove();
    },
  };
}

function toScript(line: string): string {
  return /npm run ([a-z:]+)/.exec(line)?.[1] ?? "";
}

function toAddresses(simulator: Simulator, ports: Record<Port, number>): Record<string, string> {
  const examples = ["one", "two", "three"].map((name) => `https://${name}.example/key`);
  const addresses: Record<string, string> = {
    [examples.join(",")]: simulator.rpcUrls("mainnet").join(","),
  };
  for (const [port, here] of Object.entries(ports)) {
    addresses[`127.0.0.1:${port}`] = `127.0.0.1:${here}`;
    addresses[`PORT=${port}`] = `PORT=${here}`;
  }
  return addresses;
}

async function findIds(directory: string): Promise<Record<string, string>> {
  const events = JSON.parse(
    await readFile(join(directory, ".data/public/api/v1/mainnet/events.json"), "utf8"),
  ) as { data: { id: string }[] };
  const id = events.data[0]?.id ?? "";
  return {
    "807f88f02fdd15df2afe918b": id,
    "807f88f02fdd": id.slice(0, 12),
    "--observation 123456": "--observation 1",
  };
}

function replaceAll(line: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((text, [from, to]) => text.replaceAll(from, to), line);
}

/** The answer's text; empty while nobody listens. */
async function ask(url: string, signal: AbortSignal): Promise<string> {
  try {
    return await (await fetch(url, { signal })).text();
  } catch {
    return "";
  }
}
