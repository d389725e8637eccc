import { observe } from "./observation.ts";
import { publishLedger } from "./publishing.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./session.ts";
import { createUpkeep } from "./upkeep.ts";

/** `generate snapshot`: one full observation, then publish, with a look at what lies in the public store. */
export function snapshot(options: CommandOptions): Promise<Report> {
  return forEachNetwork("snapshot", options, async (station, report) => {
    await observe(station, "snapshot", report);
    await publishLedger(station, report, { audit: true, isFolded: true });
    await createUpkeep(station)(report);
  });
}
