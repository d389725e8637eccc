import { HELP, parseFlags, type Flags } from "./flags.ts";
import { play } from "./play.ts";
import { drawScenario } from "./scenario.ts";
import { tellStory } from "./tell.ts";
import { addToTotal, createTotal, tellTotal } from "./total.ts";
import { judge } from "./verdict.ts";

const WRONG_USE = 2;

const flags = readFlags();
if (flags === null) say(HELP);
else if (flags !== undefined) process.exitCode = (await playSeeds(flags)) ? 0 : 1;

/** @returns whether no seed had a fault */
async function playSeeds({ seeds, from, panel, minutes, applied, keepsGoing }: Flags): Promise<boolean> {
  const total = createTotal();
  for (let seed = from; seed < from + seeds; seed++) {
    const scenario = drawScenario(seed, { panel, minutesMost: minutes });
    const played = await play(scenario);
    const verdict = judge(scenario, played.record, { applied });
    addToTotal(total, played, verdict, scenario.promise === "everything");
    const [first] = verdict.faults;
    if (first === undefined) continue;
    if (!keepsGoing) {
      say(tellStory(scenario, played.record, verdict));
      break;
    }
    const lies = scenario.witnesses.flatMap((witness) => witness.lies.map(({ kind }) => kind));
    say(`seed ${seed}: ${first.kind}: ${first.text} (${scenario.witnesses.length} witnesses; ${lies.join(", ")})`);
  }
  say(tellTotal(total));
  return total.faultySeeds === 0;
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
