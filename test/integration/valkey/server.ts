import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { findFreePort } from "../../free-port.ts";
import { makeDirectory } from "../../store/directory.ts";
import { isPresent } from "../../required.ts";

export interface ValkeyServer {
  url: string;
  /** Loses its counts. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Hangs or resumes it; its port stays open. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
  close(): Promise<void>;
}

const program = ["valkey-server", "redis-server"].flatMap((name) => findPrograms(name))[0];

export const hasValkeyServer = isPresent("a Valkey server", program !== undefined);

export async function startValkeyServer({
  password,
}: { password?: string } = {}): Promise<ValkeyServer> {
  const { directory, remove } = await makeDirectory();
  const port = await findFreePort();
  const place = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    directory,
    "--save",
    "",
    "--appendonly",
    "no",
  ];
  const options = [...place, ...(password === undefined ? [] : ["--requirepass", password])];
  let server = await run(options);

  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGKILL");
    await once(server, "exit");
  }
  return {
    url: `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`,
    kill,
    start: async () => void (server = await run(options)),
    signal: (signal) => void server.kill(signal),
    async close() {
      await kill();
      await remove();
    },
  };
}

async function run(options: string[]): Promise<ChildProcess> {
  const server = spawn(program!, options, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface(server.stdout)) {
    if (line.includes("Ready to accept connections")) {
      server.stdout.resume();
      return server;
    }
    lines.push(line);
  }
  throw new Error(`${program} does not start: ${lines.slice(-3).join(" ")}`);
}

function findPrograms(name: string): string[] {
  const directories = (process.env["PATH"] ?? "").split(delimiter);
  return directories.map((directory) => join(directory, name)).filter((path) => existsSync(path));
}
