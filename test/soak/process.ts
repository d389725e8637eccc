import { type Context, readPublishedPosition } from "../../generator/service/context.ts";
import { observe } from "../../generator/service/observing.ts";
import { publishLedger } from "../../generator/service/publishing.ts";
import { createReport, type Report } from "../../generator/service/report.ts";
import { createUpkeep } from "../../generator/service/upkeep.ts";
import type { NamedEntry } from "../../generator/entries/entry.ts";
import type { Observer } from "../../generator/observe/observation.ts";
import { makeStation, type StationAt } from "../service/offline.ts";

interface ProcessOptions extends Pick<StationAt, "publicStore" | "stateStore" | "now" | "holder"> {
  observer: Observer;
  /** Receives each acknowledged entry. */
  appended?: Appended[];
}

export type Appended = Pick<NamedEntry, "name" | "entry">;

export interface Process {
  tick(kind: "check" | "snapshot"): Promise<Report>;
}

export async function startProcess(options: ProcessOptions): Promise<Process> {
  const { observer, appended = [], ...place } = options;
  const station = makeStation(place);
  station.projection.setPublished(await readPublishedPosition(station.stateStore, station));
  const context: Context = {
    ...station,
    observer,
    journal: {
      ...station.journal,
      async append(entry) {
        const name = await station.journal.append(entry);
        appended.push({ name, entry });
        return name;
      },
    },
  };
  const keepUp = createUpkeep(context);
  return {
    async tick(kind) {
      const report = createReport(kind, context.network);
      await observe(context, kind, report);
      await publishLedger(context, report, { audit: kind === "snapshot", isFolded: true });
      if (kind === "snapshot") await keepUp(report);
      return report;
    },
  };
}
