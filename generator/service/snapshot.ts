import { observe } from "./cycle.ts";
import { publishLedger } from "./publication.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./networks.ts";
import { createUpkeep } from "./upkeep.ts";

/** `generate snapshot`: one full observation, then publish, with a look at what lies in the public store. */
export function snapshot(options: CommandOptions): Promise<Report> {
  return forEachNetwork("snapshot", options, async (context, report) => {
    await observe(context, "snapshot", report);
    await publishLedger(context, report, { audit: true, isFolded: true });
    await createUpkeep(context)(report);
  });
}
