import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { check } from "./one-machine/check.ts";
import { startCluster } from "./one-machine/cluster.ts";
import { readInherited } from "./one-machine/config.ts";
import { startMachine } from "./one-machine/machine.ts";

// Plays compose.yaml on this machine without Docker: its commands, settings and order, with nginx' own configuration, before a
// simulated cluster, until Ctrl-C. With --check it asks through nginx what an operator would, and ends. Exit status: 0 stopped as
// told, or all is well; 1 something failed; 2 wrong use.

const HELP = `node infra/one-machine.ts [--check]

Starts nginx, proxy, generator, store and Valkey as infra/compose.yaml says, as processes, before a simulated cluster.
Needs nginx, valkey-server or redis-server, and Go for the store (.ci/install-s3).

  --check    ask every endpoint through nginx, wait for a rug, measure, and end (some four minutes)
  --help     this text
`;
/** Nobody reaches it but from here, so whoever asks may say whose request it plays. */
const LOOPBACK = "127.0.0.0/8";

const say = (line: string) => void process.stderr.write(`${line}\n`);
const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)));

const flags = readFlags();
if (flags?.help === true) process.stdout.write(HELP);
else if (flags !== null) await play(flags);

async function play({ check: isCheck }: { check: boolean }): Promise<void> {
  const { signal } = stopping;
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-machine-"));
  const ends: (() => Promise<void>)[] = [() => rm(directory, { recursive: true })];
  try {
    // nginx works as another user where root starts it, and must get to its own directory in this one.
    await chmod(directory, 0o711);
    const cluster = await startCluster();
    ends.unshift(() => cluster.stop());
    const secrets = ["GENERATOR_SECRET", "PROXY_SECRET", "VALKEY_PASSWORD"].map((name) => [name, drawSecret()]);
    const variables = { ...cluster.variables, ...(Object.fromEntries(secrets) as Record<string, string>) };
    const { PATH: path } = readInherited();
    const machine = await startMachine({ variables, path, directory, terminator: LOOPBACK, say, signal });
    ends.unshift(() => machine.stop());
    say(`Rugwatch is at ${machine.url}.${isCheck ? "" : " Ctrl-C ends it."}`);
    const work = isCheck
      ? check({ url: machine.url, rpcUrls: variables["MAINNET_RPC_URLS"] ?? "", directory, say, signal })
      : untilStopped(signal);
    await Promise.race([work, machine.broken]);
  } catch (error) {
    if (signal.aborted && !isCheck) return;
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    for (const end of ends) await end();
  }
}

function readFlags(): { check: boolean; help: boolean } | null {
  try {
    const options = { check: { type: "boolean", default: false }, help: { type: "boolean", default: false } } as const;
    return parseArgs({ options }).values;
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exitCode = 2;
    return null;
  }
}

function drawSecret(): string {
  return randomBytes(32).toString("hex");
}

function untilStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
