import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessOptions {
  name: string;
  program: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
  directory: string;
  /** Told each line that it writes. */
  onLine: (line: string) => void;
}

/** A program that was started. */
export interface Process {
  name: string;
  /** Resolves when it has ended, with its exit status; null: by a signal. */
  ended: Promise<number | null>;
  /** Tells it to end, and ends it when it has not done so in this time. May be called again. */
  stop(signal: "SIGTERM" | "SIGQUIT", graceMilliseconds: number): Promise<void>;
}

/** Not of our process group: a Ctrl-C is for who ends them in their order. @throws {Error} when there is no such program */
export async function startProcess(options: ProcessOptions): Promise<Process> {
  const { name, program, args, environment, directory, onLine } = options;
  const stdio: ["ignore", "pipe", "pipe"] = ["ignore", "pipe", "pipe"];
  const child = spawn(program, args, { cwd: directory, env: { ...environment }, stdio, detached: true });
  for (const output of [child.stdout, child.stderr]) createInterface(output).on("line", onLine);
  const ended = once(child, "exit").then(([code]) => code as number | null);
  await once(child, "spawn");
  return {
    name,
    ended,
    async stop(signal, graceMilliseconds) {
      child.kill(signal);
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMilliseconds);
      await ended;
      clearTimeout(timer);
    },
  };
}

const LOOK_AGAIN_MILLISECONDS = 50;

/** Resolves when somebody listens on a port of the loopback. @throws {unknown} the signal's reason */
export async function waitUntilOpen(port: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(LOOK_AGAIN_MILLISECONDS, undefined, { signal });
  }
}
