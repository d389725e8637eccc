import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));

/** A line of the log as the process wrote it. */
type LogLine = Record<string, unknown> & { message: string };

/**
 * `proxy/main.ts` in a process of its own, on a free port, as `npm run proxy` starts it.
 * @param environment all that it knows, but for the port
 * @param args of Node: its flags, then the program,
 * which may be another one that logs where it listens
 */
export function spawnProxy(
  environment: Record<string, string | undefined>,
  args = ["proxy/main.ts"],
) {
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { PORT: "0", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
  const isOver = once(reader, "close");
  const readLog = () =>
    lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);

  /** The first log line with such a message. Rejects if the process ends without it. */
  async function until(wanted: RegExp): Promise<LogLine> {
    for (;;) {
      const found = readLog().find(({ message }) => wanted.test(message));
      if (found !== undefined) return found;
      await Promise.race([once(reader, "line"), isOver]);
      if (child.exitCode !== null)
        throw new Error(`it ended without ${wanted}:\n${lines.join("\n")}`);
    }
  }
  const exited = once(child, "exit").then(([code]) => code as number | null);
  return {
    pid: child.pid,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    lines,
    readLog,
    until,
    /** Where it listens, as soon as it does. */
    getUrl: async () => (await until(/^listening on /)).message.replace("listening on ", ""),
    /** Its exit status; null: it was killed. */
    exited,
    /** SIGTERM, then SIGKILL after so many milliseconds. */
    async stop(milliseconds: number): Promise<number | null> {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
      const code = await exited;
      clearTimeout(timer);
      return code;
    },
  };
}
