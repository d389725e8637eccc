import { publishLedger } from "./publishing.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./session.ts";
import { createUpkeep } from "./upkeep.ts";

/** `generate publish`: fold, render, upload what changed; puts again what does not lie there as it was put. */
export function publish(options: CommandOptions): Promise<Report> {
  return forEachNetwork("publish", options, async (station, report) => {
    await publishLedger(station, report, { audit: true, allExports: true });
    await createUpkeep(station)(report);
  });
}
