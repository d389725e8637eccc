import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { findFreePort } from "../../free-port.ts";
import { makeDirectory } from "../../store/directory.ts";
import type { Keypair } from "../../cluster/transactions/message.ts";
import { readKeypair } from "./keys.ts";
import { createAsk, waitUntil, type Ask } from "./rpc.ts";

export interface Validator {
  url: string;
  ask: Ask;
  /** Has what the genesis did not give to others. */
  faucet: Keypair;
  /** Its key is also the withdraw authority. */
  vote: Keypair;
  stake: string;
  slotsPerEpoch: number;
  close(): Promise<void>;
}

const given = process.env["RUGWATCH_TEST_VALIDATOR"] ?? "";

/** Called as `START LEDGER PORT SLOTS`; CONTRIBUTING.md says what it must do. */
const START =
  given === ""
    ? fileURLToPath(new URL("../../../../shared/tools/start-validator", import.meta.url))
    : resolve(given);

/** What was named must be there: a wrong path fails. */
export const hasValidator = given !== "" || existsSync(START);

/** Ends by itself if the test cannot end it, by force if it ignores the signal. */
const LIFE = ["--kill-after=10", "900"];
const READY_SECONDS = 60;
const END_MILLISECONDS = 10_000;
const ATTEMPTS = 3;
const LOG_LINES = 20;

export async function startValidator({
  slotsPerEpoch,
}: {
  slotsPerEpoch: number;
}): Promise<Validator> {
  const { directory, remove } = await makeDirectory();
  try {
    const { ledger, url, ask, stop } = await startOnFreePort(directory, slotsPerEpoch);
    return {
      url,
      ask,
      faucet: await readKeypair(join(ledger, "faucet-keypair.json")),
      vote: await readKeypair(join(ledger, "vote-account-keypair.json")),
      stake: (await readKeypair(join(ledger, "stake-account-keypair.json"))).address,
      slotsPerEpoch,
      async close() {
        await stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** It also uses the ports after its own; if one is taken it exits, and we try another. */
async function startOnFreePort(directory: string, slotsPerEpoch: number, attempt = 1) {
  const port = await findFreePort();
  const ledger = join(directory, `ledger-${attempt}`);
  const start = [START, ledger, String(port), String(slotsPerEpoch)];
  const program = spawn("timeout", ["--signal=INT", ...LIFE, ...start], {
    stdio: "ignore",
    detached: true,
  });
  await once(program, "spawn");
  const url = `http://127.0.0.1:${port}`;
  const ask = createAsk(url);
  try {
    await waitUntil("the first final block of the validator", READY_SECONDS, async () => {
      if (hasEnded(program)) return "ended";
      return (await ask("getSlot", [{ commitment: "finalized" }], z.int())) > 0 ? "ready" : null;
    });
    if (hasEnded(program)) throw new Error(`${START} ended before the validator was ready`);
    return { ledger, url, ask, stop: () => stop(program) };
  } catch (error) {
    await stop(program);
    if (attempt < ATTEMPTS) return startOnFreePort(directory, slotsPerEpoch, attempt + 1);
    throw new Error(`The validator does not start: ${await readLog(ledger)}`, { cause: error });
  }
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.pid === undefined || hasEnded(program)) return;
  const ended = once(program, "exit");
  process.kill(-program.pid, "SIGINT");
  const insist = setTimeout(() => process.kill(-(program.pid ?? 0), "SIGKILL"), END_MILLISECONDS);
  await ended;
  clearTimeout(insist);
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function readLog(ledger: string): Promise<string> {
  const log = join(ledger, "validator.log");
  return existsSync(log)
    ? (await readFile(log, "utf8")).split("\n").slice(-LOG_LINES).join("\n")
    : "it has no log";
}

const EPOCH_SECONDS = 120;

/**
 * Waits until the stake of epoch 0 is active and final: a list that grows several times over at once
 * is refused for ten minutes.
 */
export async function waitForStake({ ask, slotsPerEpoch }: Validator): Promise<void> {
  await waitUntil("a final slot of epoch 1", EPOCH_SECONDS, async () => {
    const slot = await ask("getSlot", [{ commitment: "finalized" }], z.int());
    return slot > slotsPerEpoch ? slot : null;
  });
}
