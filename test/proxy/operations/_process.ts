import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { afterEach } from "vitest";

/** A line of the log as the process wrote it. */
export type LogLine = Record<string, unknown> & { message: string };

/** A proxy in a process of its own, as `npm run proxy` starts it. */
export interface ProxyProcess {
  pid: number;
  /** All that it wrote so far. */
  lines: string[];
  /** The `nth` line of the log with such a message, as soon as it is there. Rejects if the process ends without it. */
  until: (message: RegExp, nth?: number) => Promise<LogLine>;
  /** Its exit status, once it has ended. */
  exited: Promise<number | null>;
}

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

/** Starts a proxy on a free port; the test's end is its end at the latest. */
export function startProcess(environment: Record<string, string>, args: string[] = []): ProxyProcess {
  const child = spawn(process.execPath, ["proxy/main.ts", ...args], {
    env: { PORT: "0", RUGWATCH_PUBLIC: "memory:", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
    // A group of its own, as a terminal or a service manager makes one, so that no process of it outlives the test.
    detached: true,
  });
  const pid = child.pid!;
  const exited = once(child, "exit").then(([code]) => code as number | null);
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const reader = createInterface({ input: child.stderr });
  reader.on("line", (line) => {
    lines.push(line);
    for (const listener of listeners) listener();
  });
  closers.push(() => {
    killGroup(pid);
    return Promise.resolve();
  });

  function find(message: RegExp, nth: number): LogLine | undefined {
    const entries = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
    return entries.filter((entry) => message.test(entry.message))[nth - 1];
  }

  function until(message: RegExp, nth = 1): Promise<LogLine> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const line = find(message, nth);
        if (line === undefined) return;
        listeners.delete(look);
        resolve(line);
      };
      listeners.add(look);
      reader.once("close", () => reject(new Error(`it ended without ${message}:\n${lines.join("\n")}`)));
      look();
    });
  }
  return { pid, lines, until, exited };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The address at the end of a line that says where something is listening. */
export function toUrl({ message }: LogLine): string {
  return message.slice(message.indexOf("http"));
}

/** A store over HTTP that answers when the test says so. */
export interface HeldStore {
  url: string;
  /** Resolves with the next request, which waits for its answer. */
  nextRequest(): Promise<ServerResponse>;
}

export async function openHeldStore(): Promise<HeldStore> {
  const waiting: ServerResponse[] = [];
  const server = createServer((_, response) => {
    waiting.push(response);
    server.emit("asked");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/site`,
    async nextRequest() {
      for (;;) {
        const response = waiting.shift();
        if (response !== undefined) return response;
        await once(server, "asked");
      }
    },
  };
}
