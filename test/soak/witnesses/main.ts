import { readCounts, say } from "../command-line.ts";
import { createTotal, playSeed, tellTotal } from "./seeds.ts";

const HELP = `Lets witnesses lie, and looks for what is false, missed, late or stopped.

  npx node test/soak/witnesses/main.ts [--seeds 1000] [--from 1] [--panel 3] [--minutes 180]

Each seed draws a cluster with all that happens to it, one to four witnesses of which less than half lie (of two, at times
one), and what they lie about; then it is observed as generate run does, in simulated time, for an hour or more, --minutes at
most. What was published is held against what was true. --panel: so many witnesses in every seed; 0, the default: drawn.
Ends at the first seed with a fault, and tells its story. Exit status: 0 none had any, 1 one had, 2 wrong use.`;

const { seeds, from, panel, minutes } = readCounts(HELP, {
  seeds: { default: 1_000 },
  from: { default: 1, least: 0 },
  panel: { default: 0, least: 0, most: 4 },
  minutes: { default: 180, least: 30, most: 180 },
});
const total = createTotal();
let story = "";
for (let seed = from; seed < from + seeds && story === ""; seed++)
  story = await playSeed(
    seed,
    { panel: panel === 0 ? undefined : panel, minutesMost: minutes },
    total,
  );
say(`${story}\n${tellTotal(total)}`.trim());
process.exitCode = story === "" ? 0 : 1;
