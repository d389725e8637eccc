import { spawn } from "node:child_process";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { startServer } from "../rpc/rpc-server.ts";

/** A line of the log as the process wrote it. */
export type LogLine = Record<string, unknown> & { message: string };

/** A proxy in a process of its own, on a free port, as `npm run proxy` starts it; the test's end is its end at the latest. */
export function startProcess(environment: Record<string, string>) {
  const child = spawn(process.execPath, ["proxy/main.ts"], {
    env: { PORT: "0", RUGWATCH_PUBLIC: "memory:", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
  const isOver = once(reader, "close");
  const readLog = () => lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);

  /** The first line of the log with such a message, as soon as it is there. Rejects if the process ends without it. */
  async function until(wanted: RegExp): Promise<LogLine> {
    for (;;) {
      const found = readLog().find(({ message }) => wanted.test(message));
      if (found !== undefined) return found;
      await Promise.race([once(reader, "line"), isOver]);
      if (child.exitCode !== null) throw new Error(`it ended without ${wanted}:\n${lines.join("\n")}`);
    }
  }
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    lines,
    readLog,
    until,
    /** Where it listens, as soon as it does. */
    getUrl: async () => (await until(/^listening on /)).message.replace("listening on ", ""),
    exited: once(child, "exit").then(([code]) => code as number | null),
  };
}

/** A store over HTTP that answers when the test says so. */
export async function openHeldStore() {
  const waiting: ServerResponse[] = [];
  let tell = (): void => undefined;
  const server = await startServer((_, response) => {
    waiting.push(response);
    tell();
  });
  onTestFinished(() => server.close());
  /** Resolves with the next request, which waits for its answer. */
  async function nextRequest(): Promise<ServerResponse> {
    if (waiting.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    return waiting.shift()!;
  }
  return { url: `${server.url}/site`, nextRequest };
}
