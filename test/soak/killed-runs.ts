import { HELP, parseFlags, type Flags } from "./killed-runs/flags.ts";
import { play } from "./killed-runs/play.ts";
import { createProcesses } from "./killed-runs/processes.ts";
import { createSite } from "./killed-runs/site.ts";

const WRONG_USE = 2;
/** Beyond the time that its epochs take. */
const MINUTES_MORE = 10;
/** Where the stores are kept when there was a difference. */
const KEPT = ".data/killed-runs";

const endpoint = process.env["RUGWATCH_TEST_S3"] ?? "";
const flags = readFlags();

if (flags === null) {
  say(HELP);
} else if (flags !== undefined && endpoint === "") {
  say("RUGWATCH_TEST_S3 names no S3 server: start this with .ci/with-s3 in front, which brings one.");
  process.exitCode = WRONG_USE;
} else if (flags !== undefined) {
  process.exitCode = (await playWithin(flags)) ? 0 : 1;
}

/** Plays, and leaves no process and no bucket behind, however it ends. */
async function playWithin(wanted: Flags): Promise<boolean> {
  const processes = createProcesses();
  const site = await createSite(endpoint);
  const cleanUp = async () => {
    await processes.endAll();
    await site.remove();
  };
  const giveUp = (why: string) => {
    say(why);
    void cleanUp().finally(() => process.exit(1));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => giveUp(`stopped by ${signal}`));
  const minutes = wanted.epochs * wanted.epochMinutes + MINUTES_MORE;
  const timer = setTimeout(() => giveUp(`not over after ${minutes} minutes`), minutes * 60_000);
  try {
    const isWell = await play({ site, processes, endpoint, flags: wanted, minutesMost: minutes, say });
    if (!isWell) {
      await site.keep(KEPT);
      say(`both sides as they were left: ${KEPT}`);
    }
    return isWell;
  } finally {
    clearTimeout(timer);
    await cleanUp();
  }
}

/** null: help is wanted; undefined: they are wrong, and it was said how. */
function readFlags(): Flags | null | undefined {
  try {
    return parseFlags(process.argv.slice(2));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    process.exitCode = WRONG_USE;
    return undefined;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
