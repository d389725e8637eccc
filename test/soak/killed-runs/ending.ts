import { setTimeout as sleep } from "node:timers/promises";
import { compareWithRebuild } from "./fresh-rebuild.ts";
import type { Generator } from "./processes.ts";
import type { Sides } from "./site.ts";

/** A lease of one that died, or that came to be after its death, is over in two minutes. */
const PUBLISH_TRIES = 14;
const RETRY_MILLISECONDS = 10_000;

interface EndingOptions {
  start: (args: string[], side: keyof Sides) => Generator;
  sides: Sides;
  say: (line: string) => void;
}

/** Publishes and verifies both sides, and rebuilds the one with the kills in an empty place. Gives what was wrong. */
export async function bringToAnEnd({ start, sides, say }: EndingOptions): Promise<string[]> {
  const faults: string[] = [];
  for (const side of ["killed", "calm"] as const) {
    faults.push(...(await publish(side)));
    faults.push(...(await finish(side, ["rebuild", "--verify"])));
  }
  const rebuild = () => start(["rebuild"], "fresh");
  const { objects, faults: unequal } = await compareWithRebuild(sides.killed, { fresh: sides.fresh, rebuild });
  say(`killed: ${objects} objects compared with a rebuild into an empty place, ${unequal.length} differ`);
  return [...faults, ...unequal];

  async function publish(side: keyof Sides): Promise<string[]> {
    for (let tries = 1; tries <= PUBLISH_TRIES; tries += 1) {
      const generator = start(["publish", "--json"], side);
      const code = await generator.ended;
      const line = lastLine(generator);
      if (code !== 0) return [`${side}: publish ended with ${code}: ${generator.output().trim()}`];
      if ((JSON.parse(line) as { skipped: string | null }).skipped === null) return [];
      say(`${side}: not published yet: ${line}`);
      await sleep(RETRY_MILLISECONDS);
    }
    return [`${side}: could not be published`];
  }

  async function finish(side: keyof Sides, args: string[]): Promise<string[]> {
    const generator = start(args, side);
    const code = await generator.ended;
    say(`${side}: ${args.join(" ")}: ${lastLine(generator)}`);
    return code === 0 ? [] : [`${side}: ${args.join(" ")} ended with ${code}: ${generator.output().trim()}`];
  }
}

function lastLine(generator: Generator): string {
  return generator.output().trim().split("\n").at(-1) ?? "";
}
