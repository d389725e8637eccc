import { observe } from "./observation.ts";
import { publishLedger } from "./publishing.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./session.ts";

/** `generate check`: one light observation; what it changes is published at once. */
export function check(options: CommandOptions): Promise<Report> {
  return forEachNetwork("check", options, async (station, report) => {
    await observe(station, "check", report);
    await publishLedger(station, report, { audit: false, isFolded: true });
  });
}
