import { ENDPOINTS } from "../cluster/options.ts";
import { NETWORKS } from "../../generator/contract/networks.ts";
import { sum, withDirectory } from "./measuring.ts";
import {
  billAws,
  billGenerator,
  billOneMachine,
  billR2,
  READERS,
  toUsage,
  type Counts,
  type Line,
} from "./month.ts";
import { NETWORK_SIZES, PLANNED_EPOCHS } from "./planning-size.ts";
import { prepareState } from "./prepared-state.ts";
import { PRICES_OF } from "./prices.ts";
import { countKeptCheckpoints, measureGrown, toStoreDay } from "./store-day.ts";
import { playPackedDay } from "./packed-day.ts";
import { toMonthOfCalls, toRows } from "./endpoint-month.ts";
import { STAKE_SCAN_TIMES, type SimulatedDay } from "./simulated-day.ts";

/**
 * Requests of a simulated day and sizes of a service
 * with 1,000 epochs, at list prices. Takes minutes.
 */
export async function bench(): Promise<string> {
  const { day, ...counts } = await countDay();
  const usage = toUsage(counts);
  const { firstPages, apiRequests, proxyPercent } = READERS;
  return [
    `a month of all networks, years from now, at list prices of ${PRICES_OF}, with an assumed ${firstPages.toLocaleString("en")} first pages and ${apiRequests.toLocaleString("en")} API requests, of which ${proxyPercent} % need the proxy`,
    toBill("AWS, the generator in GitHub Actions", billAws(usage)),
    toBill("Cloudflare R2 and a machine", billR2(usage)),
    toBill("One machine", billOneMachine(usage)),
    ...billGenerator().map((line) =>
      toRow({ ...line, what: `The generator elsewhere: ${line.what}` }),
    ),
    `A month of mainnet by method, of ${ENDPOINTS.length} endpoints and the MEV vendor together:`,
    ...toRows(toMonthOfCalls(day.traffic, STAKE_SCAN_TIMES)),
    `The generator's log: ${((day.logBytes * 365) / 12 / 1e6).toFixed(1)} MB a month`,
  ].join("\n");
}

async function countDay(): Promise<Counts & { day: SimulatedDay }> {
  const grown = await withDirectory(async (directory) =>
    measureGrown(await prepareState(directory, { epochs: PLANNED_EPOCHS })),
  );
  const played = await playPackedDay();
  const measured = { ...played, grown, kept: countKeptCheckpoints() };
  const days = NETWORKS.map((network) => {
    const times = NETWORK_SIZES[network] / NETWORK_SIZES.mainnet;
    return [network, toStoreDay(measured, times)] as const;
  });
  return {
    networks: Object.fromEntries(days) as Counts["networks"],
    answerBytes: grown.answer,
    day: played.day,
  };
}

function toBill(title: string, lines: Line[]): string {
  const dollars = sum(lines.map((line) => line.dollars));
  return [`${title}: $${dollars.toFixed(2)}`, ...lines.map(toRow)].join("\n");
}

function toRow({ what, much, dollars }: Line): string {
  return `  ${what.padEnd(52)} ${much.padStart(22)} ${dollars.toFixed(2).padStart(8)}`;
}
