import { startAnswers } from "./answers.ts";
import { runAsGenerator } from "./cold-process.ts";
import { againstBudget, toMegabytes, withDirectory } from "./measuring.ts";
import { PLANNED_CLUSTER } from "./planning-size.ts";

const MEGABYTES_MAX = 512;

interface Told {
  scanSeconds: number;
  sortSeconds: number;
  writeSeconds: number;
  puts: number;
  bytes: number;
  told: string;
}

/** Each object names its epoch: all are written again in the next. */
export async function bench(): Promise<string> {
  const answers = await startAnswers({ cluster: { ...PLANNED_CLUSTER, startsAt: 0 }, at: 0 });
  try {
    return await withDirectory(async (directory) => {
      const [url = ""] = answers.rpcUrls;
      // The first run makes the answers.
      await withDirectory((other) =>
        runAsGenerator("test/bench/wallets-process.ts", { args: [url, other] }),
      );
      const lines: string[] = [];
      for (const [epoch, name] of ["first epoch", "next epoch"].entries()) {
        const run = await runAsGenerator("test/bench/wallets-process.ts", {
          args: [url, directory, String(epoch)],
        });
        lines.push(`${name}: ${toText(run.peakMegabytes, JSON.parse(run.output) as Told)}`);
      }
      return lines.join("; ");
    });
  } finally {
    await answers.close();
  }
}

function toText(
  peakMegabytes: number,
  { scanSeconds, sortSeconds, writeSeconds, puts, bytes, told }: Told,
): string {
  const memory = againstBudget(Math.round(peakMegabytes), MEGABYTES_MAX, "MB");
  const times = [scanSeconds, sortSeconds, writeSeconds].map((seconds) => seconds.toFixed(1));
  return `read in ${times[0]} s, sorted in ${times[1]} s, written in ${times[2]} s, peak ${memory}, ${puts} puts of ${toMegabytes(bytes)} MB (${told})`;
}
