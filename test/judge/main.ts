import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeDirectory } from "../store/directory.ts";
import { compare, type Difference } from "./compare.ts";
import type { Published } from "./worlds.ts";

const HELP = `Plays the same worlds with another checkout and with this one, and compares what they publish.

  npx node test/judge/main.ts --old DIR [--liars 20] [--from 1] [--stories 1] [--all]

--old: a checkout with its packages installed, such as a worktree of the commit before a rebuild. The worlds are so many liars'
stories by seed, so many stories of the simulator, the crash story, and the recorded answers. Differences are counted by field,
with an example of each; --all prints each one. Exit status: 0 none, 1 some, 2 wrong use or a world that could not be played.`;

const RECORDED = ["recorded-2020", "recorded-2026"];
const STORY_FIRST_SEED = 11;

const { values } = parseArgs({
  options: {
    old: { type: "string" },
    liars: { type: "string", default: "20" },
    from: { type: "string", default: "1" },
    stories: { type: "string", default: "1" },
    all: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

if (values.help || values.old === undefined) {
  say(HELP);
  process.exit(values.help ? 0 : 2);
}
const worlds = [
  ...RECORDED,
  "crashes",
  ...number("stories", values.stories, STORY_FIRST_SEED).map((seed) => `story-${seed}`),
  ...number("liars", values.liars, Number(values.from)).map((seed) => `liars-${seed}`),
];
const { directory, remove } = await makeDirectory();
try {
  await Promise.all([play(resolve(values.old), "old"), play(process.cwd(), "new")]);
  const differences = await Promise.all(
    worlds.map(async (world) => ({ world, found: compare(await read("old", world), await read("new", world)) })),
  );
  tell(differences);
  process.exitCode = differences.some(({ found }) => found.length > 0) ? 1 : 0;
} finally {
  await remove();
}

async function play(checkout: string, side: string): Promise<void> {
  const environment = { JUDGE_WORLDS: worlds.join(" "), JUDGE_OUT: join(directory, side) };
  const played = spawn("npx", ["vitest", "run", "--project", "judge", "--reporter", "dot"], {
    cwd: checkout,
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(played, "exit")) as [number | null];
  if (code === 0) return;
  say(`${checkout} could not play all worlds`);
  process.exit(2);
}

async function read(side: string, world: string): Promise<Published> {
  return JSON.parse(await readFile(join(directory, side, `${world}.json`), "utf8")) as Published;
}

function tell(differences: readonly { world: string; found: readonly Difference[] }[]): void {
  const all = differences.flatMap(({ world, found }) => found.map((difference) => ({ world, ...difference })));
  const groups = [...Map.groupBy(all, ({ where }) => where)].sort(([, a], [, b]) => b.length - a.length);
  for (const [where, own] of groups) {
    say(`${own.length} × ${where}`);
    for (const one of own.slice(0, values.all ? Infinity : 1))
      say(`    ${one.world}: ${one.at}: ${one.old ?? "nothing"} → ${one.new ?? "nothing"}`);
  }
  const alike = differences.filter(({ found }) => found.length === 0).length;
  say(`${alike} of ${differences.length} worlds are published alike; ${all.length} fields differ`);
}

function number(name: string, text: string, from: number): number[] {
  if (/^\d{1,5}$/.test(text) && Number.isSafeInteger(from))
    return Array.from({ length: Number(text) }, (_, index) => from + index);
  say(`--${name} is ${text}: give a whole number up to 99999`);
  process.exit(2);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
