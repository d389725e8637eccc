import { observe } from "./cycle.ts";
import { publishLedger } from "./publication.ts";
import type { Report } from "./report.ts";
import { forEachNetwork, type CommandOptions } from "./networks.ts";

/** `generate check`: one light observation; what it changes is published at once. */
export function check(options: CommandOptions): Promise<Report> {
  return forEachNetwork("check", options, async (context, report) => {
    await observe(context, "check", report);
    await publishLedger(context, report, { audit: false, isFolded: true });
  });
}
