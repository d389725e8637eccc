import { publishLedger } from "./publication.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./networks.ts";
import { createUpkeep } from "./upkeep.ts";

/** `generate publish`: fold, render, upload what changed; puts again what does not lie there as it was put. */
export function publish(options: CommandOptions): Promise<Report> {
  return forEachNetwork("publish", options, async (context, report) => {
    await publishLedger(context, report, { audit: true, allExports: true });
    await createUpkeep(context)(report);
  });
}
