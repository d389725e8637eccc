import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { countKeptCheckpoints } from "./kept-checkpoints.ts";
import { billAws, billGenerator, billOneMachine, billR2, READERS, toUsage, type Counts, type Line } from "./month.ts";
import { NETWORK_SIZES, PLANNED_EPOCHS } from "./planning-size.ts";
import { prepareState } from "./prepared-state.ts";
import { PRICES_OF } from "./prices.ts";
import { ENDPOINTS } from "../../infra/demo/cluster/options.ts";
import { toMonthOfCalls, toRows } from "./endpoint-month.ts";
import { playDay, STAKE_SCAN_TIMES, type SimulatedDay } from "./simulated-day.ts";
import { measureGrown, toStoreDay } from "./store-day.ts";
import { tidyDay } from "./tidied-day.ts";

/**
 * What a month costs where it can run: a simulated day is counted, the sizes of a service with 1,000 epochs behind it are
 * measured, and both are multiplied by list prices. Some minutes.
 */
export async function benchCosts(): Promise<string> {
  const { day, ...counts } = await countDay();
  const usage = toUsage(counts);
  const { firstPages, apiRequests, proxyPercent } = READERS;
  return [
    `a month of all networks, years from now, at list prices of ${PRICES_OF}; readers are assumed: ${firstPages.toLocaleString("en")} first pages, ${apiRequests.toLocaleString("en")} requests of programs, ${proxyPercent} in a hundred for the proxy`,
    toBill("AWS, the generator in GitHub Actions", billAws(usage)),
    toBill("Cloudflare R2 and a machine", billR2(usage)),
    toBill("One machine", billOneMachine(usage)),
    ...billGenerator().map((line) => toRow({ ...line, what: `The generator instead: ${line.what}` })),
    `The endpoints of mainnet, ${ENDPOINTS.length} of them together, and the vendor: a month by method`,
    ...toRows(toMonthOfCalls(day.traffic, STAKE_SCAN_TIMES)),
    `The generator's log of mainnet: ${((day.logBytes * 365) / 12 / 1e6).toFixed(1)} MB a month`,
  ].join("\n");
}

async function countDay(): Promise<Counts & { day: SimulatedDay }> {
  const directory = await mkdtemp(join(tmpdir(), "rugwatch-costs-"));
  try {
    const grown = await measureGrown(await prepareState(join(directory, "grown"), { epochs: PLANNED_EPOCHS }));
    const day = await playDay(join(directory, "day"));
    const tidied = await tidyDay(day.stateStore, join(directory, "state"));
    const measured = { day, tidied, grown, kept: countKeptCheckpoints() };
    const days = NETWORKS.map((network) => [
      network,
      toStoreDay(measured, NETWORK_SIZES[network] / NETWORK_SIZES.mainnet),
    ]);
    return { networks: Object.fromEntries(days) as Counts["networks"], answerBytes: grown.answer, day };
  } finally {
    await rm(directory, { recursive: true });
  }
}

function toBill(title: string, lines: Line[]): string {
  const dollars = lines.reduce((sum, line) => sum + line.dollars, 0);
  return [`${title}: $${dollars.toFixed(2)}`, ...lines.map(toRow)].join("\n");
}

function toRow({ what, much, dollars }: Line): string {
  return `  ${what.padEnd(52)} ${much.padStart(22)} ${dollars.toFixed(2).padStart(8)}`;
}
